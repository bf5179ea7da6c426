// Searches a job's log for the reason of its end, in messages of ranks and launchers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vparity::harness {

struct RankEnd {
  int rank = 0;
  std::string how;  ///< "signal 11 (Segmentation fault)", "exit code 7"; empty: not said
};

/// The rank whose end made the launcher end the others, where it says so (Open MPI, MPICH).
std::optional<RankEnd> end_told_by_launcher(std::string_view log);

struct RankWords {
  int rank = 0;
  std::string text;
};

/// The first line "[rank N] ...SUBJECT...: TEXT" (rank_log.h); of rank `rank` if one is given.
std::optional<RankWords> first_words_about(std::string_view subject, std::string_view log,
                                           std::optional<int> rank = std::nullopt);

/// The last lines in one, joined by " | ", without rulers and control characters; empty if there
/// are none.
std::string last_lines(std::string_view log);

/// The same of what was said before the launcher's closing words, without the stack traces that MPI
/// prints; last_lines() if nothing was.
std::string last_lines_of_ranks(std::string_view log);

}  // namespace vparity::harness
