#include "harness/run/launcher/log_evidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <regex>
#include <vector>

#include "reports/text/text_safety.h"

namespace vparity::harness {
namespace {

// Ranks may say anything at any length, and std::regex recurses once for each character.
constexpr std::size_t longest_line = 200;
constexpr std::size_t quoted_lines = 6;

using Lines = std::vector<std::string>;

// Open MPI and MPICH frame their messages with lines of dashes.
bool says_something(std::string_view line) {
  return line.find_first_not_of("-= \t\r") != std::string_view::npos;
}

Lines lines_of(std::string_view log) {
  Lines lines;
  for (const auto part : std::views::split(log, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (says_something(line)) lines.push_back(reports::one_line(line.substr(0, longest_line)));
  }
  return lines;
}

std::string last_of(const Lines& lines) {
  const auto skipped = lines.size() - std::min(lines.size(), quoted_lines);
  return fmt::format("{}", fmt::join(lines | std::views::drop(skipped), " | "));
}

// The first of Open MPI 4.1's closing words, and that of MPICH's process manager Hydra.
bool begins_closing_words(std::string_view line) {
  constexpr std::array<std::string_view, 5> beginnings{
      "Primary job ", "mpirun ", "mpiexec ", "MPI_ABORT was invoked", "=   BAD TERMINATION"};
  return std::ranges::any_of(beginnings, [&](auto words) { return line.starts_with(words); });
}

// "[host:1234] *** Process received signal ***" and the frames that follow.
bool is_said_by_mpi(const std::string& line) {
  static const std::regex tag(R"(^\[[^\] ]+:\d+\] )");
  return std::regex_search(line, tag);
}

std::optional<std::string> captured(const std::string& line, const std::regex& expression) {
  std::smatch match;
  if (!std::regex_search(line, match, expression)) return std::nullopt;
  return match.str(1);
}

std::optional<int> rank_in(const std::string& line) {
  static const std::array<std::regex, 4> expressions{
      std::regex(R"(process rank (\d{1,6}) with PID)"),
      std::regex(R"(Process name: \[\[\d+,\d+\],(\d{1,6})\])"),
      std::regex(R"(MPI_ABORT was invoked on rank (\d{1,6}))"),
      std::regex(R"(RANK (\d{1,6}) PID \d+ RUNNING AT)")};
  for (const auto& expression : expressions) {
    if (const auto rank = captured(line, expression)) return std::stoi(*rank);
  }
  return std::nullopt;
}

std::string manner_in(const std::string& line) {
  static const std::regex by_signal(R"((?:exited on signal|KILLED BY SIGNAL:) (\d+ \([^)]*\)))");
  static const std::regex by_exit(R"(E(?:xit code|XIT CODE):\s*(\d+))");
  static const std::regex by_abort(R"(with errorcode (-?\d+))");
  if (const auto signal = captured(line, by_signal)) return "signal " + *signal;
  if (const auto code = captured(line, by_exit)) return "exit code " + *code;
  if (const auto code = captured(line, by_abort)) return "MPI_Abort with code " + *code;
  return line.find("exiting improperly") == std::string::npos ? "" : "exit without MPI_Finalize";
}

}  // namespace

std::optional<RankEnd> end_told_by_launcher(std::string_view log) {
  std::optional<RankEnd> end;
  for (const auto& line : lines_of(log)) {
    if (!end) {
      const auto rank = rank_in(line);
      if (rank) end = {*rank, {}};
    }
    if (!end) continue;
    end->how = manner_in(line);
    if (!end->how.empty()) break;
  }
  return end;
}

std::optional<RankWords> first_words_about(std::string_view subject, std::string_view log,
                                           std::optional<int> rank) {
  static const std::regex tag(R"(^\[rank (\d{1,6})\] )");
  for (const auto& line : lines_of(log)) {
    const auto speaker = captured(line, tag);
    const auto place = line.find(subject);
    if (!speaker || place == std::string::npos) continue;
    if (rank && std::stoi(*speaker) != *rank) continue;
    const auto text = line.find(": ", place + subject.size());
    if (text != std::string::npos) return RankWords{std::stoi(*speaker), line.substr(text + 2)};
  }
  return std::nullopt;
}

std::string last_lines(std::string_view log) { return last_of(lines_of(log)); }

std::string last_lines_of_ranks(std::string_view log) {
  auto lines = lines_of(log);
  lines.erase(std::ranges::find_if(lines, begins_closing_words), lines.end());
  std::erase_if(lines, is_said_by_mpi);
  return lines.empty() ? last_lines(log) : last_of(lines);
}

}  // namespace vparity::harness
