// Cross-entropy and its gradient on two ranks, which are threads of this process. The vocabulary
// has 8 columns and all logits are 0, so every probability is 1/8.
#include <vparity/policy_statistics.h>
#include <vparity/thread_communicator.h>

#include <cstdio>
#include <span>
#include <vector>

int main() {
  constexpr std::int64_t vocab = 8, tokens = 1;
  const std::int64_t label = 5;
  const auto split = vparity::VocabularySplit::of_layout(vparity::Layout::ceil, vocab, 2);

  vparity::run_thread_ranks(split.tp(), [&](vparity::Communicator& tp) {
    const auto dp = tp.split(tp.rank(), 0);  // a group of one: no data parallelism
    const vparity::ShardColumns own = split.shard(tp.rank());

    // Each rank holds its own columns of every row.
    std::vector<float> logits(own.width, 0.0F), gradient(own.width);
    const vparity::VocabShard shard(
        {std::as_bytes(std::span(logits)).data(), vparity::DType::fp32, tokens, own.width}, own);
    const vparity::MutableVocabShard gradient_shard(
        {std::as_writable_bytes(std::span(gradient)).data(), vparity::DType::fp32, tokens,
         own.width},
        own);
    const vparity::Replicated<const std::int64_t> labels(&label, tokens);
    float loss = 0;
    const float upstream = 1;

    vparity::PolicyStatistics kernels({tp, *dp}, own, vocab, {});
    vparity::SavedStatistics saved;
    kernels.forward(shard, labels, {.loss = {&loss, tokens}}, &saved);
    kernels.backward(shard, labels, saved, {.loss = {&upstream, tokens}}, gradient_shard);

    if (own.owns(label)) {
      std::printf("The loss is %.4f = ln 8, the gradient is %.3f = 1/8 - 1 at the label ", loss,
                  gradient[label - own.begin]);
      std::printf("and %.3f = 1/8 beside it.\n", gradient[label - own.begin + 1]);
    }
  });
}
