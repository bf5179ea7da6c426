// pytorch/pytorch#190139, full size: more than 2^31 logits, 4 GiB in bf16. Takes tens of seconds.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "reference/storage_format.h"
#include "tests/support/run_ranks.h"
#include "tests/support/sharded_problem.h"
#include "tests/support/sparse_mapping.h"

namespace vparity::testing {
namespace {

constexpr std::int64_t rows = 65537;
constexpr std::int64_t vocab = 32768;

double element(const std::byte* shard, std::int64_t index) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, shard + index * 2, sizeof bits);
  return reference::decode16(reference::Format::bf16, bits);
}

void expect_rounded(double actual, double expected) {
  const double half_ulp = reference::half_ulp(reference::Format::bf16, expected);
  EXPECT_NEAR(actual, expected, half_ulp + 1e-6 * std::abs(expected));
}

/// All logits 0, the gradient in place of them: no rank holds more than its shard.
void expect_last_row_is_right(Communicator& world) {
  const Grid grid(world, world.size());
  const ShardColumns own =
      VocabularySplit::of_layout(Layout::ceil, vocab, world.size()).shard(world.rank());
  PolicyStatistics kernels(grid.groups(), own, vocab, {.reduction = Reduction::mean});
  const SparseMapping memory(static_cast<std::size_t>(rows * own.width) * 2);
  std::vector<std::int64_t> labels(rows);
  labels.back() = vocab - 1;
  const TokenIds ids = Replicated<const std::int64_t>(labels.data(), rows);
  const VocabShard logits({memory.data(), DType::bf16, rows, own.width}, own);

  std::vector<float> loss(rows);
  SavedStatistics saved;
  kernels.forward(logits, ids, {.loss = {loss.data(), rows}}, &saved);
  for (const float value : loss) ASSERT_NEAR(value, 10.39720770839918, 4e-6);

  const float one = 1;
  kernels.backward(logits, ids, saved, {.loss = {&one, rows, 1, 0, 0}},
                   {{memory.data(), DType::bf16, rows, own.width}, own});
  const std::int64_t last_row = (rows - 1) * own.width;
  for (std::int64_t v = own.begin; v < own.end; ++v) {
    expect_rounded(element(memory.data(), last_row + v - own.begin),
                   v == vocab - 1 ? -1.5258090581227017e-05 : 4.656541819888e-10);
  }
}

TEST(PublicBugReport10, FourGibibytesOfLogits) {
  for (const int tp : {1, 2, 3, 4, 8}) run_ranks(tp, expect_last_row_is_right);
}

}  // namespace
}  // namespace vparity::testing
