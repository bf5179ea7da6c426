#include "harness/outputs/known_failures_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>

#include "harness/case/axes.h"
#include "harness/case/json_value.h"
#include "harness/matrix/json_file.h"
#include "harness/matrix/json_place.h"
#include "harness/outputs/schema_check.h"
#include "harness/usage_error.h"
#include "reports/schemas.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

int digits(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// `date` is "YYYY-MM-DD".
bool is_in_calendar(std::string_view date) {
  using namespace std::chrono;
  return year_month_day(year(digits(date.substr(0, 4))),
                        month(static_cast<unsigned>(digits(date.substr(5, 2)))),
                        day(static_cast<unsigned>(digits(date.substr(8, 2)))))
      .ok();
}

bool is_axis_like(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_";
  return !name.empty() && name.find_first_not_of(letters) == std::string_view::npos;
}

/// The name of every "name=" that follows a comma must be an axis.
void require_known_axes(const std::string& glob, const JsonPlace& place) {
  for (std::size_t comma = 0; (comma = glob.find(',', comma)) != std::string::npos; ++comma) {
    const std::size_t equals = glob.find('=', comma);
    if (equals == std::string::npos) return;
    const std::string name = glob.substr(comma + 1, equals - comma - 1);
    if (!is_axis_like(name) || std::ranges::binary_search(axis_names(), name)) continue;
    place.fail(fmt::format("there is no axis '{}'{}", name, suggestion(name, axis_names())));
  }
}

/// Keys have a comma at both ends.
void require_possible(const std::string& glob, const JsonPlace& place) {
  constexpr std::string_view first = ",*?[\\", last = ",*?]";
  const bool possible =
      first.find(glob.front()) != first.npos && last.find(glob.back()) != last.npos;
  if (!possible)
    place.fail(
        fmt::format("{} matches no case key: a key is ,name=value,...,name=value,"
                    " so that a match reads \"*,tp=2,*\"",
                    shown(glob)));
  require_known_axes(glob, place);
}

reports::KnownFailure entry_from(const json& value, const JsonPlace& place) {
  reports::KnownFailure entry{.match = value["match"],
                              .reason = value["reason"],
                              .owner = value["owner"],
                              .issue = value["issue"],
                              .expiry = value["expiry"]};
  require_possible(entry.match, place / "match");
  if (!is_in_calendar(entry.expiry))
    (place / "expiry").fail(fmt::format("{} is no day of the calendar", entry.expiry));
  return entry;
}

}  // namespace

std::vector<reports::KnownFailure> read_known_failures(const std::string& path) {
  const json value = read_json_file(path);
  static const json schema = json::parse(reports::known_failures_schema());
  require_valid(value, schema, path);
  std::vector<reports::KnownFailure> entries;
  std::set<std::string> seen;
  for (std::size_t i = 0; const json& entry : value["entries"]) {
    const auto place = JsonPlace(path) / "entries" / i++;
    entries.push_back(entry_from(entry, place));
    if (!seen.insert(entries.back().match).second)
      (place / "match").fail(fmt::format("{} stands here twice", shown(entry["match"])));
  }
  return entries;
}

}  // namespace vparity::harness
