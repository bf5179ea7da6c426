#include "reports/history/last_week.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>

#include "reports/statistics/median.h"

namespace vparity::reports {
namespace {

constexpr std::chrono::hours week_length{7 * 24 - 12};

/// `time` is "YYYY-MM-DDThh:mm:ssZ".
std::chrono::sys_seconds point_in_time(const std::string& time) {
  int year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0;
  if (std::sscanf(time.c_str(), "%4d-%2d-%2dT%2d:%2d:%2dZ", &year, &month, &day, &hours, &minutes,
                  &seconds) != 6)
    return {};
  using namespace std::chrono;
  return sys_days(year_month_day(std::chrono::year(year),
                                 std::chrono::month(static_cast<unsigned>(month)),
                                 std::chrono::day(static_cast<unsigned>(day)))) +
         std::chrono::hours(hours) + std::chrono::minutes(minutes) + std::chrono::seconds(seconds);
}

constexpr std::size_t nights_before = 10;

/// The first night within a week before night `last`.
std::size_t first_night_of_week(const std::vector<Night>& nights, std::size_t last) {
  const auto first = std::ranges::find_if(
      nights, [&](const Night& night) { return within_a_week(night, nights[last]); });
  return static_cast<std::size_t>(first - nights.begin());
}

/// The newest night in [begin, end) that is `wanted`; a complete one if there is any.
template <typename Wanted>
std::optional<std::size_t> newest_night(const std::vector<Night>& nights, std::size_t begin,
                                        std::size_t end, const Wanted& wanted) {
  std::optional<std::size_t> partial;
  for (std::size_t i = end; i > begin; --i) {
    if (!wanted(i - 1)) continue;
    if (nights[i - 1].complete) return i - 1;
    if (!partial) partial = i - 1;
  }
  return partial;
}

/// The status in the newest of these nights that has the case: a night that ran only some cases
/// says nothing about the other ones.
std::optional<Status> status_in(const History& history, const Series& series, std::size_t begin,
                                std::size_t end) {
  const auto night = newest_night(history.nights, begin, end, [&](std::size_t i) {
    return series.points[i].status.has_value();
  });
  return night ? series.points[*night].status : std::nullopt;
}

double median_or_missing(std::span<const double> values) {
  return values.empty() ? Point::missing : median({values.begin(), values.end()});
}

}  // namespace

bool within_a_week(const Night& earlier, const Night& later) {
  return point_in_time(later.started) - point_in_time(earlier.started) < week_length;
}

LastWeek last_week(const History& history) {
  const auto& nights = history.nights;
  if (nights.empty()) return {};
  LastWeek week{.first = first_night_of_week(nights, nights.size() - 1)};
  if (week.first > 0) week.first_before = first_night_of_week(nights, week.first - 1);
  const auto any = [](std::size_t) { return true; };
  week.before = newest_night(nights, 0, week.first, any);
  week.now = newest_night(nights, 0, nights.size(), any);
  return week;
}

WeekChange week_change(const History& history, const Series& series, const LastWeek& week) {
  const auto trace = trace_of(history, series);
  const auto split = static_cast<std::size_t>(std::ranges::lower_bound(trace.nights, week.first) -
                                              trace.nights.begin());
  const std::span values(trace.values);
  const auto before = values.first(split);
  return {.before = status_in(history, series, week.first_before, week.first),
          .now = status_in(history, series, week.first, series.points.size()),
          .value_before = median_or_missing(before.last(std::min(split, nights_before))),
          .value_now = median_or_missing(values.subspan(split)),
          .value_newest = values.empty() ? Point::missing : values.back(),
          .unit = trace.unit};
}

}  // namespace vparity::reports
