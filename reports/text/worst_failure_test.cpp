#include "reports/text/worst_failure.h"

#include <gmock/gmock.h>

#include <limits>

namespace vparity::reports {
namespace {

using ::testing::HasSubstr;

constexpr auto default_key = ",dtype=fp32,tp=1,";
constexpr double infinite = std::numeric_limits<double>::infinity();

CaseResult ended(const std::string& id, Status status) {
  CaseResult result;
  result.id = id;
  result.key = ",dtype=fp32,tp=2,";
  result.status = status;
  result.phase = "forward";
  result.attempts = 1;
  result.wall_s = 2.5;
  result.repeat = "vparity run m.json --case " + id;
  if (status != Status::passed) result.reason = {{"signal", "rank 1 died: Killed"}};
  return result;
}

OutputResult output(const std::string& name, std::int64_t mismatches, double error_ratio,
                    double expected = 1, double actual = 3) {
  return {.name = name,
          .checked = 64,
          .mismatches = mismatches,
          .error_ratio = error_ratio,
          .worst = WorstElement{2, 5, 1, expected, actual}};
}

CaseResult wrong(const std::string& id, std::vector<OutputResult> outputs) {
  auto result = ended(id, Status::failed);
  result.outputs = std::move(outputs);
  return result;
}

std::string worst_of(std::vector<CaseResult> cases) {
  Report report;
  report.cases = std::move(cases);
  const auto* worst = worst_failure(report);
  return worst == nullptr ? "none" : worst->id;
}

TEST(WorstFailure, IsTheOneFurthestOutOfItsBound) {
  EXPECT_EQ(worst_of({wrong("a", {output("loss", 1, 3)}), wrong("b", {output("loss", 1, 1e6)}),
                      wrong("c", {output("lse", 0, 0.5), output("loss", 1, 20)})}),
            "b");
  EXPECT_EQ(
      worst_of({wrong("a", {output("loss", 1, 1e6)}), wrong("b", {output("loss", 1, infinite)})}),
      "b");
}

TEST(WorstFailure, WrongNumbersComeBeforeCrashesAndWhatDidNotRunIsNone) {
  EXPECT_EQ(worst_of({ended("n", Status::not_run), ended("c", Status::crashed),
                      wrong("f", {output("loss", 1, 1.5)})}),
            "f");
  EXPECT_EQ(worst_of({ended("n", Status::not_run), ended("c", Status::crashed)}), "c");
  EXPECT_EQ(worst_of({ended("n", Status::not_run), ended("p", Status::passed)}), "none");
}

TEST(WorstFailure, WhatIsExcusedOrPassedIsNone) {
  auto excused = wrong("a", {output("loss", 1, 3)});
  excused.known_failure = "*";
  EXPECT_EQ(worst_of({excused, ended("b", Status::passed), ended("c", Status::skipped)}), "none");
}

TEST(WorstFailure, IsExplainedInThreeLines) {
  auto result = wrong("0123456789ab", {output("lse", 0, 0.5), output("loss", 4, 20),
                                       output("grad_logits", 3, 2.5e4, 1e-9, 0.25)});
  result.parity().invariants = {{.name = "loss_sum", .ok = false},
                                {.name = "entropy_range", .ok = true}};
  EXPECT_EQ(explanation(result, default_key),
            "worst failure: 0123456789ab tp=2\n"
            "  what    grad_logits[2, 5] on rank 1: 0.25, not 1e-09; 2.5e+04 times its bound\n"
            "  extent  3 of 64 elements; also wrong: loss; violated: loss_sum\n"
            "  repeat  vparity run m.json --case 0123456789ab\n");
}

TEST(WorstFailure, ElementIsPlacedByTheShapeOfItsOutput) {
  const auto place = [](const char* name) {
    return explanation(wrong("a", {output(name, 1, 2)}), default_key);
  };
  EXPECT_THAT(place("logprob"), HasSubstr("what    logprob[2, 5] on rank 1:"));
  EXPECT_THAT(place("entropy"), HasSubstr("what    entropy[2] on rank 1:"));
  EXPECT_THAT(place("loss_mean"), HasSubstr("what    loss_mean on rank 1:"));
}

TEST(WorstFailure, ExactValueThatWasMissedHasNoFactor) {
  EXPECT_THAT(explanation(wrong("a", {output("loss", 1, infinite)}), default_key),
              HasSubstr(": 3, not 1; it must be exact\n"));
}

TEST(WorstFailure, ValuesThatDifferInTheirLastDigitsAreShownWithThem) {
  EXPECT_THAT(explanation(wrong("a", {output("loss", 1, 2, 1, 1.0000000000000002)}), default_key),
              HasSubstr(": 1.0000000000000002, not 1; 2 times"));
}

TEST(WorstFailure, CrashIsToldByPhaseReasonAndTime) {
  EXPECT_EQ(explanation(ended("a", Status::crashed), default_key),
            "worst failure: a tp=2\n"
            "  what    crashed in phase forward: signal: rank 1 died: Killed\n"
            "  extent  attempt 1, after 2.5 s\n"
            "  repeat  vparity run m.json --case a\n");
}

TEST(WorstFailure, LongWordsOfRanksAreWrappedUnderTheirLabel) {
  auto result = ended("a", Status::error);
  result.reason = {{"exception", std::string(60, 'x') + "\n" + std::string(30, 'y')}};
  EXPECT_THAT(explanation(result, default_key),
              HasSubstr("\n          " + std::string(60, 'x') + "\n          " +
                        std::string(30, 'y') + "\n  extent"));
}

}  // namespace
}  // namespace vparity::reports
