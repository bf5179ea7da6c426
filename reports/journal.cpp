#include "reports/journal.h"

#include <fcntl.h>
#include <sys/file.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "reports/json_text.h"

namespace vparity::reports {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw_errno("open", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

nlohmann::json parse_line(std::string_view line, const std::string& path, std::size_t number) {
  auto entry = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (entry.is_object()) return entry;
  throw std::runtime_error(path + ":" + std::to_string(number) + ": not a JSON object");
}

}  // namespace

JournalWriter::JournalWriter(const std::string& path, int flags)
    : file_(path, O_WRONLY | O_APPEND | flags) {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) throw_errno("lock", path);
}

JournalWriter JournalWriter::create(const std::string& path) { return {path, O_CREAT | O_EXCL}; }

JournalWriter JournalWriter::reopen(const std::string& path) { return {path, 0}; }

void JournalWriter::append(const nlohmann::ordered_json& entry) {
  file_.write(json_line(entry));
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

}  // namespace vparity::reports
