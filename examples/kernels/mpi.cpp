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

  const std::vector<float> logits(own.width, 0.0F);
  const vparity::VocabShard shard(
      {std::as_bytes(std::span(logits)).data(), vparity::DType::fp32, tokens, own.width}, own);
  const std::int64_t label = 5;

  vparity::PolicyStatistics kernels({*tp, *dp}, own, vocab, {});
  const vparity::GlobalResults results =
      kernels.forward(shard, vparity::Replicated(&label, tokens), {});

  if (world->rank() == 0) {
    std::printf("The mean loss of %d rows on %d ranks is %.4f = ln 8.\n",
                static_cast<int>(results.valid_tokens), world->size(), results.loss_mean);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
