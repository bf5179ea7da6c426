#include "harness/rank/relations/relation.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "harness/case/inputs/inputs.h"
#include "harness/case/storage.h"
#include "harness/provider/problem.h"
#include "harness/rank/relations/chosen_rows.h"
#include "harness/rank/relations/relations.h"

namespace vparity::harness {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

constexpr float masked = -std::numeric_limits<float>::infinity();

CaseParameters base() {
  CaseParameters parameters;
  parameters.tp = 2;
  parameters.dp = 2;
  parameters.tokens = 7;
  parameters.vocab = 23;
  parameters.ids = 2;
  parameters.labels = LabelPattern::ignored_30;
  return parameters;
}

/// A case's operands with the relations to it.
struct Subject {
  explicit Subject(const CaseParameters& parameters)
      : inputs(parameters, 1),
        subject{inputs, problem_of(parameters), parameters.tp, parameters.world()} {}

  std::vector<float> row(const Side& side, std::int64_t t) const {
    return whole_row(*side.operands, t, side.problem.vocab);
  }

  CaseInputs inputs;
  RelationSubject subject;
};

std::vector<std::string_view> names(const CaseParameters& parameters) {
  const Subject subject(parameters);
  std::vector<std::string_view> all;
  for (const Relation& relation : relations_of(subject.subject)) all.push_back(relation.name);
  return all;
}

TEST(Relations, AllHoldForAPlainCase) {
  EXPECT_THAT(names(base()),
              ElementsAre("shifted_rows", "permuted_vocabulary", "other_tp", "other_layout",
                          "other_chunk", "deleted_columns", "single_row"));
}

TEST(Relations, AShiftDoesNotHoldWhereTheLogitsSizeCounts) {
  CaseParameters softcap = base(), z_loss = base();
  softcap.softcap = 30.0F;
  z_loss.z_loss = 1e-4F;
  EXPECT_EQ(names(softcap).front(), "permuted_vocabulary");
  EXPECT_EQ(names(z_loss).front(), "permuted_vocabulary");
}

TEST(Relations, OneRankOneRowAndOneColumnHaveNothingToExchange) {
  CaseParameters parameters = base();
  parameters.tp = parameters.dp = 1;
  parameters.tokens = 1;
  parameters.vocab = 1;
  EXPECT_THAT(names(parameters), ElementsAre("shifted_rows", "other_layout"));
  parameters.tokens = 0;
  EXPECT_THAT(names(parameters), ElementsAre());
}

TEST(Relations, AreLookedAtInOneCaseOfEight) {
  const std::string digits = "0123456789abcdef";
  EXPECT_EQ(
      std::ranges::count_if(
          digits, [](char digit) { return has_relations(std::string(1, digit) + "23456789abc"); }),
      2);
  EXPECT_TRUE(has_relations("8f0000000000"));
}

class ShiftedRows : public ::testing::TestWithParam<std::tuple<DType, LogitsPattern>> {};

/// The two sides differ by one number per row, to the last bit, and stay what the type can hold.
TEST_P(ShiftedRows, DifferByAConstantExactly) {
  CaseParameters parameters = base();
  std::tie(parameters.dtype, parameters.logits) = GetParam();
  parameters.vocab = 200;
  const Subject subject(parameters);
  const Relation relation = *shifted_rows(subject.subject);
  for (std::int64_t t = 0; t < parameters.tokens; ++t) {
    const double shift = relation.lse_shift(t);
    std::vector<float> before = subject.row(relation.first, t);
    std::vector<float> after = subject.row(relation.second, t);
    for (std::size_t v = 0; v < before.size(); ++v) {
      if (!std::isfinite(before[v])) continue;
      EXPECT_EQ(double{after[v]} - before[v], shift) << "row " << t << ", column " << v;
    }
    for (auto* row : {&before, &after}) {
      const std::vector<float> exact = *row;
      round_to(parameters.dtype, *row);
      for (std::size_t v = 0; v < exact.size(); ++v) {
        const bool same = (*row)[v] == exact[v] || std::isnan(exact[v]);
        EXPECT_TRUE(same) << exact[v] << " is no number of the type";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Relations, ShiftedRows,
    ::testing::Combine(::testing::Values(DType::fp32, DType::bf16, DType::fp16),
                       ::testing::Values(LogitsPattern::normal, LogitsPattern::lm_like,
                                         LogitsPattern::large_offset, LogitsPattern::wide,
                                         LogitsPattern::extreme, LogitsPattern::nonfinite)));

TEST(ShiftedRows, AreShiftedByMoreThanTheirLogitsReach) {
  const Subject subject(base());
  const Relation relation = *shifted_rows(subject.subject);
  for (std::int64_t t = 0; t < 7; ++t) {
    const auto row = subject.row(relation.first, t);
    EXPECT_GT(std::abs(relation.lse_shift(t)), std::abs(std::ranges::max(row)));
    EXPECT_EQ(relation.lse_shift(t) < 0, t % 2 == 1);
  }
}

TEST(PermutedVocabulary, TakesLogitsIdsAndGradientAlong) {
  const Subject subject(base());
  const Relation relation = *permuted_vocabulary(subject.subject);
  const std::int64_t ignored = relation.second.problem.options.ignore_index;
  std::set<std::int64_t> places;
  for (std::int64_t v = 0; v < 23; ++v) places.insert(relation.column(v));
  EXPECT_EQ(places.size(), 23U);
  EXPECT_NE(relation.column(1) - relation.column(0), 1);
  for (std::int64_t t = 0; t < 7; ++t) {
    const auto before = subject.row(relation.first, t), after = subject.row(relation.second, t);
    for (std::int64_t v = 0; v < 23; ++v)
      EXPECT_EQ(after[static_cast<std::size_t>(relation.column(v))],
                before[static_cast<std::size_t>(v)]);
    for (int k = 0; k < 2; ++k) {
      const std::int64_t id = subject.inputs.id(t, k);
      EXPECT_EQ(relation.second.operands->id(t, k), id == -100 ? ignored : relation.column(id));
    }
  }
}

TEST(PermutedVocabulary, IgnoresWhatWasIgnoredAlsoWhereThatIsAColumn) {
  CaseParameters parameters = base();
  parameters.ignore_index = 7;
  parameters.tokens = 64;
  const Subject subject(parameters);
  const Relation relation = *permuted_vocabulary(subject.subject);
  for (std::int64_t t = 0; t < 64; ++t) {
    EXPECT_EQ(relation.second.operands->id(t, 0) == relation.second.problem.options.ignore_index,
              subject.inputs.id(t, 0) == 7);
  }
}

TEST(OtherTp, KeepsTheWorldAndTheRows) {
  for (const auto& [tp, dp, other] :
       {std::tuple{4, 1, 2}, {2, 2, 1}, {3, 1, 1}, {8, 1, 4}, {1, 2, 2}, {1, 3, 3}}) {
    CaseParameters parameters = base();
    parameters.tp = tp;
    parameters.dp = dp;
    const Subject subject(parameters);
    const Relation relation = *other_tp(subject.subject);
    EXPECT_EQ(relation.second.tp, other);
    const auto& rows = relation.second.operands->dp_rows();
    EXPECT_EQ(std::ssize(rows), tp * dp / other);
    EXPECT_EQ(std::accumulate(rows.begin(), rows.end(), 0), 7);
    EXPECT_EQ(subject.row(relation.first, 5), subject.row(relation.second, 5));
  }
}

TEST(OtherSharding, PromisesTheSameBitsWhereTheModeDoes) {
  CaseParameters parameters = base();
  EXPECT_FALSE(other_layout(Subject(parameters).subject)->same_bits);
  parameters.mode = Mode::gather;
  const Subject subject(parameters);
  for (const auto relation : {other_tp, other_layout, other_chunk, single_row})
    EXPECT_TRUE(relation(subject.subject)->same_bits);
  for (const auto relation : {shifted_rows, permuted_vocabulary, deleted_columns})
    EXPECT_FALSE(relation(subject.subject)->same_bits);
  parameters.mode = Mode::reproducible;  // in which sums do not look at where a column stands
  const Subject exact(parameters);
  for (const auto relation :
       {other_tp, other_layout, other_chunk, single_row, permuted_vocabulary, deleted_columns})
    EXPECT_TRUE(relation(exact.subject)->same_bits);
  EXPECT_FALSE(shifted_rows(exact.subject)->same_bits);
}

TEST(DeletedColumns, AreThoseThatTheOtherSideMasks) {
  for (const std::int64_t vocab : {3, 4, 7, 8, 23, 5000}) {
    CaseParameters parameters = base();
    parameters.vocab = vocab;
    const Subject subject(parameters);
    const Relation relation = *deleted_columns(subject.subject);
    const auto before = subject.row(relation.first, 3), after = subject.row(relation.second, 3);
    std::int64_t next = 0;
    for (std::int64_t v = 0; v < vocab; ++v) {
      const float logit = before[static_cast<std::size_t>(v)];
      if (v % 5 == 2) {
        EXPECT_EQ(relation.column(v), -1);
        EXPECT_EQ(logit, masked);
      } else {
        EXPECT_EQ(relation.column(v), next);
        EXPECT_EQ(after[static_cast<std::size_t>(next++)], logit);
      }
    }
    EXPECT_EQ(relation.second.problem.vocab, next);
  }
}

TEST(DeletedColumns, AreNobodysTarget) {
  CaseParameters parameters = base();
  parameters.tokens = 64;
  const Subject subject(parameters);
  const Relation relation = *deleted_columns(subject.subject);
  for (std::int64_t t = 0; t < 64; ++t) {
    const std::int64_t masked_id = relation.first.operands->id(t, 0);
    const std::int64_t id = relation.second.operands->id(t, 0);
    if (subject.inputs.id(t, 0) == -100) {
      EXPECT_EQ(id, relation.second.problem.options.ignore_index);
      EXPECT_EQ(masked_id, relation.first.problem.options.ignore_index);
    } else {
      EXPECT_NE(masked_id % 5, 2);
      EXPECT_EQ(id, relation.column(masked_id));
    }
  }
}

TEST(DeletedColumns, AShardOfColumnsIsAPartOfTheRow) {
  const Subject subject(base());
  const Relation relation = *deleted_columns(subject.subject);
  const auto whole = subject.row(relation.second, 2);
  std::vector<float> shard(6);
  relation.second.operands->logits(2, 9, shard);
  EXPECT_TRUE(std::ranges::equal(shard, std::span(whole).subspan(9, 6)));
}

TEST(SingleRow, IsTheOneOfTheBatch) {
  const Subject subject(base());
  const Relation relation = *single_row(subject.subject);
  EXPECT_THAT(relation.second.operands->dp_rows(), ElementsAre(1, 0));
  EXPECT_NE(subject.inputs.id(relation.first_row, 0), -100);
  EXPECT_EQ(subject.row(relation.second, 0), subject.row(relation.first, relation.first_row));
  EXPECT_EQ(relation.second.operands->id(0, 1), subject.inputs.id(relation.first_row, 1));
  EXPECT_TRUE(relation.first_is_subject);
}

TEST(SingleRow, IsComparedBySumsBecauseItsMeanIsAnother) {
  CaseParameters parameters = base();
  parameters.reduction = Reduction::mean;
  const Relation relation = *single_row(Subject(parameters).subject);
  EXPECT_FALSE(relation.first_is_subject);
  EXPECT_EQ(relation.first.problem.options.reduction, Reduction::sum);
  EXPECT_EQ(relation.second.problem.options.reduction, Reduction::sum);
}

TEST(FirstRows, AreThoseOfEachDataParallelRank) {
  const Subject subject(base());  // 4 rows and 3
  const ChosenRows few = first_rows(subject.inputs, 2);
  EXPECT_THAT(few.dp_rows(), ElementsAre(2, 2));
  for (const auto& [row, original] : {std::pair{0, 0}, {1, 1}, {2, 4}, {3, 5}}) {
    EXPECT_EQ(whole_row(few, row, 23), whole_row(subject.inputs, original, 23));
    EXPECT_EQ(few.id(row, 1), subject.inputs.id(original, 1));
  }
  EXPECT_THAT(first_rows(subject.inputs, 9).dp_rows(), ElementsAre(4, 3));
}

}  // namespace
}  // namespace vparity::harness
