// Cross-entropy of uniform logits over 8 columns on two ranks: ln 8.
#include <vparity/policy_statistics.h>
#include <vparity/thread_communicator.h>

#include <cmath>
#include <cstdlib>

int main() {
  double loss = 0;
  vparity::run_thread_ranks(2, [&](vparity::Communicator& tp) {
    const auto dp = tp.split(tp.rank(), 0);
    const auto own =
        vparity::VocabularySplit::of_layout(vparity::Layout::ceil, 8, tp.size()).shard(tp.rank());
    vparity::PolicyStatistics kernels({tp, *dp}, own, 8, {});
    const float logits[4] = {};
    const std::int64_t label = 5;
    const auto results = kernels.forward(
        {{reinterpret_cast<const std::byte*>(logits), vparity::DType::fp32, 1, 4}, own},
        vparity::Replicated(&label, 1), {});
    if (tp.rank() == 0) loss = results.loss_sum;
  });
  return std::abs(loss - std::log(8.0)) < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
