// Cross-entropy over MPI: mpirun -n 4 ./mpi. The ranks form a grid of two data-parallel groups,
// each with two tensor-parallel ranks. Each group has one row of 8 logits, all 0.
#include <vparity/mpi_communicator.h>
#include <vparity/policy_statistics.h>

#include <cstdio>
#include <exception>
#include <span>
#include <vector>

int main(int argc, char** argv) try {
  constexpr int tp_size = 2;
  constexpr std::int64_t vocab = 8, tokens = 1;

  const vparity::MpiSession session(&argc, &argv);
  const auto world = vparity::make_mpi_communicator(MPI_COMM_WORLD);
  const auto tp = world->split(world->rank() / tp_size, world->rank());
  const auto dp = world->split(world->rank() % tp_size, world->rank());
  const auto split = vparity::VocabularySplit::of_layout(vparity::Layout::ceil, vocab, tp_size);
  const vparity::ShardColumns own = split.shard(tp->rank());

  std::vector<float> logits(own.width, 0.0F);
  const vparity::MutableVocabShard gradient(
      {std::as_writable_bytes(std::span(logits)).data(), vparity::DType::fp32, tokens, own.width},
      own);  // in place: it takes the memory of the logits
  const vparity::VocabShard shard({gradient.rows().data, vparity::DType::fp32, tokens, own.width},
                                  own);
  const std::int64_t label = 5;
  const vparity::Replicated labels(&label, tokens);
  const float upstream = 1;

  vparity::PolicyStatistics kernels({*tp, *dp}, own, vocab,
                                    {.reduction = vparity::Reduction::mean});
  vparity::SavedStatistics saved;
  const vparity::GlobalResults results = kernels.forward(shard, labels, {}, &saved);
  kernels.backward(shard, labels, saved, {.loss = {&upstream, tokens}}, gradient);

  if (own.owns(label) && dp->rank() == 0) {
    std::printf("The mean loss on %d ranks is %.4f = ln 8, ", world->size(), results.loss_mean);
    std::printf("the gradient at a label is %.4f = (1/8 - 1) / 2 rows.\n",
                logits[label - own.begin]);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
