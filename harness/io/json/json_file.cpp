#include "harness/io/json/json_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <vector>

#include "harness/io/json/json_place.h"
#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

std::string read_text(const std::string& path, std::size_t limit) {
  // A pipe without a writer would be waited for, and /dev/zero never ends.
  if (std::error_code ignored;
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    throw UsageError(fmt::format("{}: not a regular file", path));
  }
  std::ifstream file(path, std::ios::binary);
  const auto unreadable = [&] {
    return UsageError(fmt::format("{}: {}", path, std::generic_category().message(errno)));
  };
  if (!file) throw unreadable();
  std::string text;
  constexpr std::size_t piece = std::size_t{1} << 20;
  while (file && text.size() <= limit) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    file.read(text.data() + before, static_cast<std::streamsize>(piece));
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw unreadable();
  if (text.size() > limit)
    throw UsageError(fmt::format("{}: larger than {} MiB", path, limit >> 20));
  return text;
}

/// Follows the parser through the file, and stops it where the file goes wrong in a way the parser
/// would let pass.
class Walk {
 public:
  explicit Walk(const std::string& name) : file_(name) {}

  bool operator()(json::parse_event_t event, const json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        enter(event == json::parse_event_t::array_start);
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        levels_.pop_back();
        next_element();
        break;
      case json::parse_event_t::key:
        enter_member(parsed.get<std::string>());
        break;
      case json::parse_event_t::value:
        next_element();
        break;
    }
    return true;
  }

  /// Of the value that is being read.
  JsonPlace place() const {
    JsonPlace place = file_;
    for (const Level& level : levels_) {
      if (level.is_array)
        place = place / level.element;
      else if (!level.key.empty())
        place = place / level.key;
    }
    return place;
  }

 private:
  struct Level {
    bool is_array = false;
    std::size_t element = 0;
    std::string key;
    std::set<std::string> keys;
  };

  void enter(bool is_array) {
    if (levels_.size() == json_depth_limit)
      file_.fail(fmt::format("nested deeper than {} levels", json_depth_limit));
    levels_.push_back({is_array, 0, {}, {}});
  }

  void enter_member(const std::string& key) {
    Level& level = levels_.back();
    level.key.clear();
    if (!level.keys.insert(key).second)
      place().fail(fmt::format("key {} stands here twice", shown(key)));
    level.key = key;
  }

  void next_element() {
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().element;
  }

  JsonPlace file_;
  std::vector<Level> levels_;
};

/// "LINE:COLUMN" of the byte before `offset`, from 1; the text begins on line `first`.
std::string line_and_column(std::string_view text, std::size_t offset, std::size_t first) {
  const std::string_view read = text.substr(0, offset == 0 ? 0 : offset - 1);
  const auto line = first + static_cast<std::size_t>(std::ranges::count(read, '\n'));
  const std::size_t newline = read.rfind('\n');
  const std::size_t column =
      1 + (newline == std::string_view::npos ? read.size() : read.size() - newline - 1);
  return fmt::format("{}:{}", line, column);
}

/// What the parser expected and found, without its error codes and positions.
std::string cause(const json::parse_error& error) {
  const std::string what = error.what();
  const std::size_t dash = what.find(" - ");
  constexpr std::size_t enough = 160;
  return dash == std::string::npos ? "not JSON" : what.substr(dash + 3, enough);
}

}  // namespace

json parse_json(std::string_view text, const std::string& name, std::optional<std::size_t> line) {
  const auto fail = [&](std::size_t offset, std::string_view message) {
    throw UsageError(
        fmt::format("{}:{}: {}", name, line_and_column(text, offset, line.value_or(1)), message));
  };
  // The parser would take it for the end of the text. Files have some after a loss of power.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    fail(nul + 1, "unexpected NUL byte");
  Walk walk(line ? fmt::format("{}:{}", name, *line) : name);
  json value;
  try {
    value = json::parse(
        text, [&](int, json::parse_event_t event, json& parsed) { return walk(event, parsed); });
  } catch (const json::parse_error& error) {
    fail(error.byte, cause(error));
  } catch (const json::out_of_range&) {
    walk.place().fail("the number is too large");
  }
  return value;
}

json read_json_file(const std::string& path, std::size_t limit) {
  return parse_json(read_text(path, limit), path);
}

}  // namespace vparity::harness
