#include "reports/text/failure_text.h"

#include <gmock/gmock.h>

#include <string>

namespace vparity::reports {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr auto default_key = ",dp=1,dtype=fp32,tp=1,";

CaseResult case_of(Status status, const std::string& id = "0123456789ab") {
  CaseResult result;
  result.id = id;
  result.key = ",dp=1,dtype=bf16,tp=2,";
  result.status = status;
  result.phase = "done";
  result.repeat = "vparity run m.json --case " + id;
  if (status != Status::passed) result.reason = Reason{"some_code", "some text"};
  return result;
}

TEST(BriefName, IsTheIdAndWhatIsNotAtItsDefault) {
  EXPECT_EQ(brief_name(case_of(Status::passed), default_key), "0123456789ab dtype=bf16 tp=2");
  auto usual = case_of(Status::passed);
  usual.key = default_key;
  EXPECT_EQ(brief_name(usual, default_key), "0123456789ab");
}

TEST(BriefName, TakesNoValueForTheBeginningOfAnother) {
  auto result = case_of(Status::passed);
  result.key = ",tp=1,";
  EXPECT_THAT(brief_name(result, ",tp=16,"), EndsWith(" tp=1"));
}

TEST(FailureLine, StaysOnePrintableLineWhateverTheReasonHolds) {
  auto result = case_of(Status::crashed);
  result.reason = Reason{"job_crashed", "first\nsecond\x1b[2J"};
  EXPECT_THAT(failure_line(result),
              AllOf(HasSubstr("first second"), Not(HasSubstr("\n")), Not(HasSubstr("\x1b"))));
}

TEST(FailureLine, NamesViolatedInvariantsBesideTheWorstElement) {
  CaseResult result;
  result.status = Status::failed;
  result.reason = Reason{"invariant", "permuted_vocabulary: 2 where 1 is allowed"};
  result.parity().invariants = {{"loss_sum", true, 0, 1}, {"permuted_vocabulary", false, 2, 1}};
  EXPECT_THAT(failure_line(result), HasSubstr(": invariant: permuted_vocabulary: 2 where"));
  result.outputs.push_back(
      {.name = "loss", .mismatches = 1, .error_ratio = 3, .worst = WorstElement{}});
  EXPECT_THAT(failure_line(result),
              HasSubstr("error ratio 3; violated: permuted_vocabulary; repeat:"));
}

TEST(WhatFailed, IsTheElementFurthestOutOfItsBound) {
  auto result = case_of(Status::failed);
  result.outputs = {
      {.name = "lse", .mismatches = 1, .error_ratio = 2, .worst = WorstElement{}},
      {.name = "loss", .mismatches = 1, .error_ratio = 3, .worst = WorstElement{4, 5, 6, 0.5, 1.5}},
      {.name = "entropy", .mismatches = 0, .error_ratio = 0.9, .worst = WorstElement{}}};
  EXPECT_EQ(what_failed(result),
            "loss: row 4, column 5, rank 6: expected 0.5, actual 1.5, error ratio 3");
}

}  // namespace
}  // namespace vparity::reports
