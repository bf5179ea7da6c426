#include "harness/plan/memory_estimate.h"

#include <gtest/gtest.h>

namespace vparity::harness {
namespace {

CaseParameters case_of(int tp, int dp, std::int64_t tokens, std::int64_t vocab) {
  CaseParameters parameters;
  parameters.tp = tp;
  parameters.dp = dp;
  parameters.tokens = tokens;
  parameters.vocab = vocab;
  return parameters;
}

std::int64_t rank_bytes(const CaseParameters& parameters) {
  return estimate_memory(parameters).largest_rank;
}

// What a shard of 10 rows x 500 columns of fp32 takes.
constexpr std::int64_t shard = std::int64_t{10} * 500 * 4;

TEST(MemoryEstimate, CountsTheShardAndAGradientUnlessItIsInPlace) {
  CaseParameters parameters = case_of(2, 1, 10, 1000);
  const std::int64_t with_gradient = rank_bytes(parameters);
  parameters.in_place = true;
  EXPECT_EQ(with_gradient - rank_bytes(parameters), shard);
}

TEST(MemoryEstimate, FollowsTheStorageTypes) {
  CaseParameters parameters = case_of(2, 1, 10, 1000);
  const std::int64_t fp32 = rank_bytes(parameters);
  parameters.dtype = DType::bf16;
  EXPECT_EQ(fp32 - rank_bytes(parameters), shard / 2 + shard / 2);
  parameters.grad_dtype = GradientDType::fp32;
  EXPECT_EQ(fp32 - rank_bytes(parameters), shard / 2);
}

TEST(MemoryEstimate, OfModeGatherCountsAChunkOfWholeRowsTwice) {
  CaseParameters parameters = case_of(2, 1, 10, 1000);
  const std::int64_t fast = rank_bytes(parameters);
  parameters.mode = Mode::gather;
  EXPECT_EQ(rank_bytes(parameters) - fast, 2 * 10 * 1000 * 4);
  parameters.chunk = 3;
  EXPECT_EQ(rank_bytes(parameters) - fast, 2 * 3 * 1000 * 4);
}

TEST(MemoryEstimate, OfBaselinesCountsTheMatricesTheyKeep) {
  CaseParameters parameters = case_of(2, 1, 10, 1000);
  const std::int64_t vparity = rank_bytes(parameters);
  parameters.provider = "three-allreduce";
  EXPECT_EQ(rank_bytes(parameters) - vparity, 3 * shard);
  parameters.grad_of.entropy = true;
  EXPECT_EQ(rank_bytes(parameters) - vparity, 4 * shard);
  parameters.provider = "gather-full-grad";  // of both shards, and what is sent and received
  EXPECT_EQ(rank_bytes(parameters) - vparity, (4 + 2) * 2 * shard);
}

TEST(MemoryEstimate, OfHugeStridesCountsTouchedPagesOnly) {
  CaseParameters parameters = case_of(2, 1, 10, 1000);
  const std::int64_t packed = rank_bytes(parameters);
  parameters.row_stride = RowStride::huge;
  // 500 columns of 4 bytes lie in at most two pages; 10 rows of logits and 10 of gradient.
  EXPECT_EQ(rank_bytes(parameters) - packed, 2 * (10 * 2 * 4096 - shard));
}

TEST(MemoryEstimate, SumsOverRanksOfUnequalRowsAndColumns) {
  // 3 rows over 2 DP ranks, 5 columns over 4 TP ranks: the largest rank has 2 rows x 2 columns.
  const MemoryEstimate estimate = estimate_memory(case_of(4, 2, 3, 5));
  EXPECT_LT(estimate.all_ranks, 8 * estimate.largest_rank);
  EXPECT_GT(estimate.all_ranks, 7 * estimate.largest_rank);
}

TEST(MemoryEstimate, DoesNotOverflowForTheLargestCaseThereIs) {
  CaseParameters parameters = case_of(1024, 1024, std::int64_t{1} << 30, std::int64_t{1} << 22);
  parameters.mode = Mode::gather;
  const MemoryEstimate estimate = estimate_memory(parameters);
  // All logits once, fp32.
  EXPECT_GT(estimate.all_ranks, (std::int64_t{1} << 52) * 4);
}

TEST(BytesText, PicksTheUnit) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(std::int64_t{3} << 30), "3.0 GiB");
}

}  // namespace
}  // namespace vparity::harness
