// Runs with --known-failures.
#include "harness/run/run_fixture.h"

namespace vparity::harness {
namespace {

/// Runs with a file of known failures.
class KnownFailures : public Runs {
 protected:
  /// One entry; the last day of its excuse is far away unless given.
  void expect_failure_of(const std::string& match, const std::string& expiry = "9999-12-31") {
    options_.known_failures = directory_ / "known.json";
    write(options_.known_failures,
          R"({"schema": "vparity.known-failures/1", "entries": [{"match": ")" + match +
              R"(", "reason": "rounding", "owner": "ann", "issue": "#7", "expiry": ")" + expiry +
              "\"}]}");
  }
};

TEST_F(KnownFailures, DoNotFailTheRunAndAreShownAsKnown) {
  expect_failure_of("*,vocab=8,*");
  EXPECT_EQ(run("fail pass"), 0);
  EXPECT_EQ(last_line(), "2 passed, 0 failed, 2 skipped\n");
  EXPECT_THAT(output_, AllOf(HasSubstr("\nknown 2: rounding (#7, until 9999-12-31)\n"),
                             Not(HasSubstr("failed ,"))));
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, passed, failed, passed));
  EXPECT_EQ(report().cases.at(0).known_failure, "*,vocab=8,*");
  EXPECT_EQ(report().known_failures.at(0).cases, 2);
}

TEST_F(KnownFailures, VerboseRunShowsEach) {
  expect_failure_of("*,vocab=8,*");
  options_.verbosity = Verbosity::verbose;
  EXPECT_EQ(run("fail pass"), 0);
  EXPECT_THAT(output_, HasSubstr("\nknown failed ," + std::string("alignment=")));
}

TEST_F(KnownFailures, OtherFailuresStillFailTheRun) {
  expect_failure_of("*,tp=1,*");
  EXPECT_EQ(run("fail pass"), 1);
  EXPECT_EQ(last_line(), "2 passed, 1 failed, 1 skipped\n");
}

TEST_F(KnownFailures, UnexpectedPassFailsTheRunWithALineAlsoWhenQuiet) {
  expect_failure_of("*,vocab=8,*");
  options_.verbosity = Verbosity::quiet;
  EXPECT_EQ(run("pass"), 1);
  EXPECT_EQ(output_,
            "known failure '*,vocab=8,*': passed in each of its cases (2), so the entry can go "
            "(rounding; owner ann, #7)\n4 passed, 0 failed, 0 skipped\n");
}

TEST_F(KnownFailures, PassOfSomeOfAnEntrysCasesSaysNothing) {
  expect_failure_of("*,vocab=8,*");
  options_.plan.filter = "*,tp=1,*";
  EXPECT_EQ(run("pass"), 0);
}

TEST_F(KnownFailures, ExpiredEntryExcusesNothing) {
  expect_failure_of("*,vocab=8,*", "2001-01-01");
  EXPECT_EQ(run("fail pass"), 1);
  EXPECT_EQ(last_line(), "2 passed, 2 failed, 0 skipped\n");
  EXPECT_THAT(output_, HasSubstr("expired on 2001-01-01"));
}

TEST_F(KnownFailures, CountForNoLimitOfFailures) {
  expect_failure_of("*,vocab=8,*");
  options_.max_failures = 1;
  EXPECT_EQ(run("fail pass"), 0);
}

TEST_F(KnownFailures, ResumedRunGoesByTheListItIsGiven) {
  EXPECT_EQ(run("fail pass"), 1);
  options_.resume = true;
  expect_failure_of("*,vocab=8,*");
  EXPECT_EQ(run("pass"), 0);
  options_.known_failures.clear();
  EXPECT_EQ(run("pass"), 1);
  EXPECT_EQ(report().cases.at(0).known_failure, "");
}

TEST_F(KnownFailures, BadFileIsRefusedBeforeAnyWork) {
  expect_failure_of("*,vocab=8,*", "soon");
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("known.json: /entries/0/expiry: ")));
  EXPECT_FALSE(std::filesystem::exists(options_.out));
}

}  // namespace
}  // namespace vparity::harness
