// Runs that are interrupted and gone on with, and the folders that they use.
#include "harness/run/run_fixture.h"

namespace vparity::harness {
namespace {

TEST_F(Runs, MaxFailuresOfAResumedRunIncludeThoseOfBefore) {
  options_.max_failures = 1;
  EXPECT_EQ(run("fail pass"), 1);
  options_.resume = true;
  EXPECT_EQ(run("pass"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, not_run, not_run, not_run));
  options_.max_failures = 2;
  EXPECT_EQ(run("pass"), 1);
  EXPECT_THAT(statuses(), ElementsAre(failed, passed, passed, passed));
}

TEST_F(Runs, InterruptLeavesAValidReportAndResumingGivesTheWholeOne) {
  EXPECT_EQ(run("pass interrupt"), 130);
  EXPECT_EQ(report().summary.passed, 1);
  EXPECT_FALSE(report().run.complete);
  const auto id = report().run.id;

  options_.resume = true;
  EXPECT_EQ(run("pass"), 0);
  const auto whole = report();
  EXPECT_TRUE(whole.run.complete);
  EXPECT_EQ(whole.run.id, id);
  EXPECT_EQ(whole.cases.at(0).attempts, 1);
  EXPECT_EQ(whole.cases.at(1).attempts, 2);
  EXPECT_EQ(last_line(), "4 passed, 0 failed, 0 skipped\n");
}

TEST_F(Runs, ResumingKeepsVerdictsAndTriesCrashesAgain) {
  EXPECT_EQ(run("fail crash"), 1);
  options_.resume = true;
  EXPECT_EQ(run("pass"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, passed, failed, passed));
}

TEST_F(Runs, ResumingAfterAKillInTheMiddleOfALineGoesOn) {
  EXPECT_EQ(run("pass"), 0);
  const auto journal = std::filesystem::path(options_.out) / "journal.jsonl";
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 20);
  options_.resume = true;
  EXPECT_EQ(run("pass"), 0);
  EXPECT_EQ(report().cases.at(3).attempts, 2);
}

TEST_F(Runs, ResumingFromAJournalWithoutWhatAReportNeedsIsRefused) {
  EXPECT_EQ(run("pass"), 0);
  const auto journal = options_.out + "/journal.jsonl";
  auto text = read(journal);
  const std::string member = "\"cores\":";
  ASSERT_THAT(text, HasSubstr(member));
  write(journal, text.replace(text.find(member), member.size(), "\"corse\":"));
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--resume"), HasSubstr("cores"))));
}

TEST_F(Runs, ResumingTheRunOfAnotherBuildIsRefused) {
  EXPECT_EQ(run("pass"), 0);
  const auto journal = options_.out + "/journal.jsonl";
  auto text = read(journal);
  const std::string member = "\"compiler\":\"";
  write(journal, text.replace(text.find(member), member.size(), member + "another "));
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("build"), HasSubstr("another "))));
}

TEST_F(Runs, ResumingWithAnotherPlanIsRefusedNamingTheDifference) {
  EXPECT_EQ(run("pass"), 0);
  options_.resume = true;
  options_.plan.seed = 8;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("seed 7, not 8")));
  options_.plan.seed = 7;
  options_.plan.filter = "*,tp=1,*";
  EXPECT_THAT([&] { run_matrices(options_); }, ThrowsMessage<UsageError>(HasSubstr("other cases")));
}

TEST_F(Runs, FolderOfARunThatIsGoingOnIsRefused) {
  EXPECT_EQ(run("pass"), 0);
  const auto other = JournalWriter::reopen(options_.out + "/journal.jsonl");
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("another run is going on")));
}

TEST_F(Runs, FoldersChosenInTheSameSecondDiffer) {
  EXPECT_EQ(make_unused_folder(options_.out), options_.out);
  EXPECT_EQ(make_unused_folder(options_.out), options_.out + "-2");
}

TEST_F(Runs, FolderForOperandsIsTriedBeforeAnyWork) {
  write(options_.out + "-file", "");
  options_.save_failing = options_.out + "-file";
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("--save-failing")));
  EXPECT_FALSE(std::filesystem::exists(options_.out));
}

TEST_F(Runs, UsedFolderIsRefusedWithoutResume) {
  std::filesystem::create_directories(options_.out);
  write(options_.out + "/file", "");
  EXPECT_THAT([&] { run_matrices(options_); }, ThrowsMessage<UsageError>(HasSubstr("--resume")));
}

TEST_F(Runs, ResumingWithoutAJournalIsRefused) {
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("journal.jsonl")));
}

}  // namespace
}  // namespace vparity::harness
