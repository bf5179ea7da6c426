// The texts are what Open MPI 4.1.4 and MPICH's Hydra 4.0 print.
#include "harness/run/launcher/log_evidence.h"

#include <gmock/gmock.h>

namespace vparity::harness {
namespace {

constexpr auto ruler =
    "--------------------------------------------------------------------------\n";
constexpr auto primary_job =
    "Primary job  terminated normally, but 1 process returned\n"
    "a non-zero exit code. Per user-direction, the job has been aborted.\n";

std::string open_mpi(const std::string& said, const std::string& notice) {
  return said + ruler + primary_job + ruler + ruler + notice + ruler;
}

std::string hydra(const std::string& said, const std::string& notice) {
  const std::string line(83, '=');
  return said + "\n" + line + "\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n" +
         "=   RANK 3 PID 9070 RUNNING AT node\n=   " + notice + "\n" + line + "\n";
}

void expect_end(const std::string& log, int rank, const std::string& how) {
  const auto end = end_told_by_launcher(log);
  ASSERT_TRUE(end) << log;
  EXPECT_EQ(end->rank, rank);
  EXPECT_EQ(end->how, how);
}

TEST(EndToldByLauncher, IsTheRanksSignalOrExitCode) {
  expect_end(open_mpi("",
                      "mpiexec noticed that process rank 1 with PID 0 on node vm exited on "
                      "signal 11 (Segmentation fault).\n"),
             1, "signal 11 (Segmentation fault)");
  expect_end(open_mpi("",
                      "mpirun detected that one or more processes exited with non-zero status, "
                      "thus causing\nthe job to be terminated. The first process to do so was:"
                      "\n\n  Process name: [[9070,1],12]\n  Exit code:    7\n"),
             12, "exit code 7");
  expect_end(hydra("", "KILLED BY SIGNAL: 9 (Killed)"), 3, "signal 9 (Killed)");
  expect_end(hydra("", "EXIT CODE: 7"), 3, "exit code 7");
}

TEST(EndToldByLauncher, IsAnAbortOrAnExitWithoutFinalize) {
  expect_end(std::string(ruler) +
                 "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD\nwith errorcode "
                 "42.\n\nNOTE: invoking MPI_ABORT causes Open MPI to kill all MPI processes.\n" +
                 ruler,
             2, "MPI_Abort with code 42");
  expect_end(
      "mpirun has exited due to process rank 1 with PID 0 on\nnode vm exiting improperly. "
      "There are three reasons this could occur:\n",
      1, "exit without MPI_Finalize");
}

TEST(EndToldByLauncher, IsNothingWhereNoLauncherSpoke) {
  EXPECT_FALSE(end_told_by_launcher(""));
  EXPECT_FALSE(end_told_by_launcher("rank 1 of 2 aborts the job: no luck\n"));
  EXPECT_FALSE(end_told_by_launcher("process rank 99999999999999999999 with PID 3\n"));
}

TEST(FirstWords, AreThoseOfTheFirstRankThatSpokeOfTheCase) {
  const auto* log =
      "[rank 2] case 000000000000, forward: long ago\n"
      "hello\n"
      "[rank 1] case 54e4981c9ea9, forward: no luck: at all\n"
      "[rank 0] case 54e4981c9ea9, forward: the other side hung up\n";
  const auto words = first_words_about("54e4981c9ea9", log);
  ASSERT_TRUE(words);
  EXPECT_EQ(words->rank, 1);
  EXPECT_EQ(words->text, "no luck: at all");
  EXPECT_EQ(first_words_about("54e4981c9ea9", log, 0)->text, "the other side hung up");
  EXPECT_FALSE(first_words_about("54e4981c9ea9", log, 3));
  EXPECT_FALSE(first_words_about("ffffffffffff", log));
}

TEST(LastLines, AreInOneLineWithoutRulersAndControlCharacters) {
  EXPECT_EQ(last_lines(std::string("one\r\n") + ruler + "\n \ntwo\x1b[31m"),
            "one  | two\xEF\xBF\xBD[31m");
  EXPECT_EQ(last_lines("1\n2\n3\n4\n5\n6\n7\n"), "2 | 3 | 4 | 5 | 6 | 7");
  EXPECT_EQ(last_lines(std::string(1000, 'x')), std::string(200, 'x'));
  EXPECT_EQ(last_lines(""), "");
}

TEST(LastLinesOfRanks, StandBeforeTheLaunchersClosingWords) {
  const auto* notice =
      "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).\n";
  const auto* trace =
      "[vm:08671] *** Process received signal ***\n[vm:08671] [ 0] /lib/libc.so.6\n";
  EXPECT_EQ(last_lines_of_ranks(open_mpi(std::string("assertion failed\n") + trace, notice)),
            "assertion failed");
  EXPECT_EQ(last_lines_of_ranks(hydra("assertion failed\n", "EXIT CODE: 7")), "assertion failed");
  EXPECT_EQ(last_lines_of_ranks("no launcher spoke\n"), "no launcher spoke");
}

TEST(LastLinesOfRanks, AreTheLaunchersIfNoRankSpoke) {
  EXPECT_THAT(last_lines_of_ranks(hydra("", "EXIT CODE: 7")), testing::HasSubstr("EXIT CODE: 7"));
}

}  // namespace
}  // namespace vparity::harness
