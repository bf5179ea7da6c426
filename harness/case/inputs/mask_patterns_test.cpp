#include "harness/case/inputs/mask_patterns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/case/inputs/every_pattern.h"
#include "harness/case/inputs/inputs.h"

namespace vparity::harness {
namespace {

constexpr float masked = -std::numeric_limits<float>::infinity();

/// Columns [begin, end) of a row that are not masked.
std::int64_t kept(const CaseParameters& parameters, std::int64_t row, std::int64_t begin,
                  std::int64_t end) {
  std::vector<float> logits(static_cast<std::size_t>(end - begin));
  CaseInputs(parameters, 3).logits(row, begin, logits);
  return end - begin - std::ranges::count(logits, masked);
}

std::int64_t kept(const CaseParameters& parameters, std::int64_t row) {
  return kept(parameters, row, 0, parameters.vocab);
}

TEST(MaskPatterns, TopKKeepsExactlySixtyFour) {
  CaseParameters parameters = with(pattern_base(), MaskPattern::top_k);
  for (const std::int64_t vocab : {65, 66, 128, 1000, 32003}) {
    parameters.vocab = vocab;
    for (std::int64_t row = 0; row < 5; ++row) EXPECT_EQ(kept(parameters, row), 64) << vocab;
  }
}

TEST(MaskPatterns, RandomKeepsAboutHalf) {
  CaseParameters parameters = with(pattern_base(), MaskPattern::random);
  parameters.vocab = 40000;
  EXPECT_NEAR(static_cast<double>(kept(parameters, 0)), 20000, 5 * std::sqrt(10000.0));
}

TEST(MaskPatterns, RandomKeepsOneAndMasksOneOfTwoColumns) {
  CaseParameters parameters = with(pattern_base(), MaskPattern::random);
  parameters.vocab = 2;
  for (std::int64_t row = 0; row < 20; ++row) EXPECT_EQ(kept(parameters, row), 1);
}

TEST(MaskPatterns, OneShardMasksThatOfTheRowsTurn) {
  const CaseParameters parameters = with(pattern_base(), MaskPattern::one_shard);
  const auto split = VocabularySplit::of_layout(parameters.layout, parameters.vocab, parameters.tp);
  for (std::int64_t row = 0; row < 6; ++row) {
    for (int rank = 0; rank < parameters.tp; ++rank) {
      const ShardColumns& shard = split.shard(rank);
      const std::int64_t expected = rank == row % parameters.tp ? 0 : shard.valid();
      EXPECT_EQ(kept(parameters, row, shard.begin, shard.end), expected) << row << " " << rank;
    }
  }
}

TEST(MaskPatterns, FirstBlockMasksHalfOfAShardUpToItsLimit) {
  CaseParameters parameters = with(pattern_base(), MaskPattern::first_block);
  for (const std::int64_t vocab : {300L, 3 * 5000L}) {
    parameters.vocab = vocab;
    const std::int64_t width = vocab / 3;
    const std::int64_t block = std::min(width / 2, first_block_limit);
    for (int rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(kept(parameters, 0, rank * width, rank * width + block), 0);
      EXPECT_EQ(kept(parameters, 0, rank * width + block, (rank + 1) * width), width - block);
    }
  }
}

TEST(MaskPatterns, TargetMasksTheLabelAlone) {
  const CaseParameters parameters = with(pattern_base(), MaskPattern::target);
  const std::int64_t label = CaseInputs(parameters, 3).id(0, 0);
  EXPECT_EQ(kept(parameters, 0), parameters.vocab - 1);
  EXPECT_EQ(kept(parameters, 0, label, label + 1), 0);
}

TEST(MaskPatterns, TargetLeavesIgnoredRowsAlone) {
  CaseParameters parameters = with(pattern_base(), MaskPattern::target);
  parameters.labels = LabelPattern::ignored_30;
  EXPECT_EQ(kept(parameters, 1), parameters.vocab);  // row 1 is always ignored
}

TEST(MaskPatterns, AllButOneKeepsOne) {
  const CaseParameters parameters = with(pattern_base(), MaskPattern::all_but_one);
  for (std::int64_t row = 0; row < 20; ++row) EXPECT_EQ(kept(parameters, row), 1);
}

TEST(MaskPatterns, WholeRowMasksEveryThirdRowAndIgnoresHalfOfThem) {
  const CaseParameters parameters = with(pattern_base(), MaskPattern::whole_row);
  const CaseInputs inputs(parameters, 3);
  for (std::int64_t row = 0; row < 12; ++row) {
    EXPECT_EQ(kept(parameters, row), row % 3 == 1 ? 0 : parameters.vocab);
    EXPECT_EQ(inputs.id(row, 0) == parameters.ignore_index, row == 4 || row == 10);
  }
}

TEST(MaskPatterns, PaddingMasksNoColumnOfTheVocabulary) {
  const CaseParameters parameters = with(pattern_base(), MaskPattern::padding);
  EXPECT_EQ(kept(parameters, 0), parameters.vocab);
}

}  // namespace
}  // namespace vparity::harness
