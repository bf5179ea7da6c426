#include "harness/run/outputs/reviewed_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "harness/case/axes.h"
#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

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

}  // namespace

// Keys have a comma at both ends.
void require_possible_glob(const std::string& glob, const JsonPlace& place) {
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

void require_day(const std::string& date, const JsonPlace& place) {
  if (!is_in_calendar(date)) place.fail(fmt::format("{} is no day of the calendar", date));
}

}  // namespace vparity::harness
