#include "harness/launcher/job_log.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <system_error>
#include <vector>

namespace vparity::harness {
namespace {

constexpr std::size_t tail_bytes = 4096;
constexpr std::size_t quoted_lines = 6;
constexpr std::size_t quoted_line_bytes = 200;

// Open MPI frames its messages with lines of dashes.
bool says_something(std::string_view line) {
  return line.find_first_not_of("-= \t\r") != std::string_view::npos;
}

std::string printable(std::string_view line) {
  std::string text(line.substr(0, quoted_line_bytes));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text;
}

}  // namespace

JobLog::JobLog(const std::string& path) : file_(path, O_WRONLY | O_CREAT | O_APPEND) {}

void JobLog::append(std::string_view text) {
  keep_tail(text);
  const auto kept = text.substr(0, limit_bytes - written_);
  written_ += kept.size();
  try {
    if (!kept.empty()) file_.write(kept);
    if (!kept.empty() && written_ == limit_bytes) file_.write("\n[vparity: the log ends here]\n");
  } catch (const std::system_error& error) {
    // A full disk must not end the job's watch; what it was ends up in the job's message.
    written_ = limit_bytes;
    keep_tail(fmt::format("\n{}\n", error.what()));
  }
}

void JobLog::keep_tail(std::string_view text) {
  tail_.append(text);
  if (tail_.size() > tail_bytes) tail_.erase(0, tail_.size() - tail_bytes);
}

std::string JobLog::last_lines() const {
  std::vector<std::string> lines;
  for (const auto part : std::views::split(tail_, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (says_something(line)) lines.push_back(printable(line));
  }
  const auto skipped = lines.size() - std::min(lines.size(), quoted_lines);
  return fmt::format("{}", fmt::join(lines | std::views::drop(skipped), " | "));
}

}  // namespace vparity::harness
