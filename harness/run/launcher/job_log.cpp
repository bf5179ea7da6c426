#include "harness/run/launcher/job_log.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace vparity::harness {
namespace {

constexpr std::size_t tail_bytes = std::size_t{16} << 10;
// Space for a job's log if earlier jobs have filled the file.
constexpr std::size_t least_room = std::size_t{64} << 10;

}  // namespace

JobLog::JobLog(const std::string& path)
    : file_(path, O_WRONLY | O_CREAT | O_APPEND),
      room_(limit_bytes -
            std::min<std::size_t>(limit_bytes - least_room, std::filesystem::file_size(path))) {}

void JobLog::append(std::string_view text) {
  keep_tail(text);
  const auto kept = text.substr(0, room_);
  room_ -= kept.size();
  try {
    if (!kept.empty()) file_.write(kept);
    if (!kept.empty() && room_ == 0) file_.write("\n[vparity: the log ends here]\n");
  } catch (const std::system_error& error) {
    // A full disk must not end the job's watch; what it was ends up in the job's message.
    room_ = 0;
    keep_tail(fmt::format("\n{}\n", error.what()));
  }
}

void JobLog::keep_tail(std::string_view text) {
  tail_.append(text);
  if (tail_.size() > tail_bytes) tail_.erase(0, tail_.size() - tail_bytes);
}

}  // namespace vparity::harness
