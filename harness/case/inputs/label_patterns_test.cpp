#include "harness/case/inputs/label_patterns.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/case/inputs/every_pattern.h"
#include "harness/case/inputs/inputs.h"

namespace vparity::harness {
namespace {

using ::testing::Each;
using ::testing::UnorderedElementsAre;

std::vector<std::int64_t> ids_of(const CaseParameters& parameters, int column = 0) {
  const CaseInputs inputs(parameters, 5);
  std::vector<std::int64_t> ids;
  for (std::int64_t row = 0; row < parameters.tokens; ++row) ids.push_back(inputs.id(row, column));
  return ids;
}

std::set<std::int64_t> distinct(const std::vector<std::int64_t>& ids) {
  return {ids.begin(), ids.end()};
}

TEST(LabelPatterns, UniformLabelsReachEveryClass) {
  CaseParameters parameters = pattern_base();
  parameters.vocab = 7;
  parameters.tokens = 500;
  EXPECT_THAT(distinct(ids_of(parameters)), UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(LabelPatterns, ShardEdgesAreTheEndsOfNonEmptyShards) {
  CaseParameters parameters = with(pattern_base(), LabelPattern::shard_edges);
  parameters.tp = 4;
  parameters.vocab = 5;  // ceil: [0, 2) [2, 4) [4, 5) and an empty one
  EXPECT_THAT(distinct(ids_of(parameters)), UnorderedElementsAre(0, 1, 2, 3, 4));
}

TEST(LabelPatterns, LastIdIsTheLastClass) {
  const CaseParameters parameters = with(pattern_base(), LabelPattern::last_id);
  EXPECT_THAT(ids_of(parameters), Each(parameters.vocab - 1));
}

TEST(LabelPatterns, AboutThirtyPercentAreIgnored) {
  CaseParameters parameters = with(pattern_base(), LabelPattern::ignored_30);
  parameters.tokens = 10000;
  const auto ignored = static_cast<double>(std::ranges::count(ids_of(parameters), -100));
  EXPECT_NEAR(ignored, 3000, 5 * std::sqrt(2100));
}

TEST(LabelPatterns, TwoRowsAlreadyHoldAnIgnoredAndALabelledOne) {
  CaseParameters parameters = with(pattern_base(), LabelPattern::ignored_30);
  parameters.tokens = 2;
  EXPECT_EQ(std::ranges::count(ids_of(parameters), -100), 1);
}

TEST(LabelPatterns, AllIgnoredHoldsForEveryIdColumn) {
  CaseParameters parameters = with(pattern_base(), LabelPattern::all_ignored);
  parameters.ids = 2;
  EXPECT_THAT(ids_of(parameters, 0), Each(-100));
  EXPECT_THAT(ids_of(parameters, 1), Each(-100));
}

TEST(LabelPatterns, OneDpRankIgnoredIsTheFirstWithRows) {
  CaseParameters parameters = with(pattern_base(), LabelPattern::one_dp_rank_ignored);
  parameters.dp = 3;
  parameters.tokens = 10;
  parameters.dp_rows = DpRows::one_empty;  // 0, 5, 5
  const auto ids = ids_of(parameters);
  EXPECT_EQ(std::ranges::count(ids, -100), 5);
  EXPECT_THAT(std::vector(ids.begin(), ids.begin() + 5), Each(-100));
}

TEST(LabelPatterns, TheIgnoredClassIsNeverALabel) {
  CaseParameters parameters = with(pattern_base(), LabelPattern::ignored_30);
  parameters.vocab = 3;
  parameters.ignore_index = 2;
  parameters.tokens = 10000;
  const auto ignored = static_cast<double>(std::ranges::count(ids_of(parameters), 2));
  EXPECT_NEAR(ignored, 3000, 5 * std::sqrt(2100));  // and not a third of the others too
}

TEST(LabelPatterns, FurtherIdsRepeatTheLabelInEveryFourthRow) {
  CaseParameters parameters = pattern_base();
  parameters.vocab = 100000;
  parameters.ids = 2;
  const auto labels = ids_of(parameters, 0), others = ids_of(parameters, 1);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    EXPECT_EQ(labels[row] == others[row], row % 4 == 3) << row;
  }
}

}  // namespace
}  // namespace vparity::harness
