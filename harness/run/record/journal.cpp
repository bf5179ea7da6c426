#include "harness/run/record/journal.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "harness/io/json/json_file.h"
#include "reports/model/json_text.h"

namespace vparity::harness {
namespace {

// Far above what any run writes; a case takes some kilobytes.
constexpr std::uintmax_t size_limit = std::uintmax_t{512} << 20;

std::string read_file(const std::string& path) {
  // /dev/zero never ends.
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw std::runtime_error(path + ": not a regular file");
  if (std::filesystem::file_size(path, ignored) > size_limit && !ignored)
    throw std::runtime_error(path + ": larger than 512 MiB");
  std::ifstream file(path, std::ios::binary);
  if (!file) reports::throw_errno("open", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

nlohmann::json parse_line(std::string_view line, const std::string& path, std::size_t number) {
  auto entry = parse_json(line, path, number);
  if (entry.is_object()) return entry;
  throw std::runtime_error(path + ":" + std::to_string(number) + ": not a JSON object");
}

}  // namespace

JournalWriter::JournalWriter(const std::string& path, int flags)
    : file_(path, O_WRONLY | O_APPEND | flags) {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) reports::throw_errno("lock", path);
}

JournalWriter JournalWriter::create(const std::string& path) { return {path, O_CREAT | O_EXCL}; }

// Non-blocking, so that a named pipe is refused instead of waited for.
JournalWriter JournalWriter::reopen(const std::string& path) { return {path, O_NONBLOCK}; }

void JournalWriter::append(const nlohmann::ordered_json& entry) {
  file_.write(reports::json_line(entry));
  file_.sync_data();
}

Journal read_journal(const std::string& path) {
  const std::string text = read_file(path);
  Journal journal;
  for (auto end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', journal.valid_bytes)) {
    const std::string_view line(text.data() + journal.valid_bytes, end - journal.valid_bytes);
    journal.entries.push_back(parse_line(line, path, journal.entries.size() + 1));
    journal.valid_bytes = end + 1;
  }
  return journal;
}

}  // namespace vparity::harness
