#include "reports/history/last_week.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>

#include "reports/statistics/trimmed_mean.h"

namespace vparity::reports {
namespace {

constexpr std::size_t nights_before = 10;
/// Nights do not begin at the same minute: that of a week ago is before it.
constexpr std::chrono::hours week_length{7 * 24 - 12};

/// `time` is "YYYY-MM-DDThh:mm:ssZ"; the zero of the clock for what is no such time.
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

std::size_t first_night_of_week(const std::vector<Night>& nights) {
  if (nights.empty()) return 0;
  const auto begin = point_in_time(nights.back().started) - week_length;
  const auto first = std::ranges::find_if(
      nights, [begin](const Night& night) { return point_in_time(night.started) > begin; });
  return static_cast<std::size_t>(first - nights.begin());
}

/// Of the nights in [0, end) that `wanted` says; a complete one if there is any.
template <typename Wanted>
std::optional<std::size_t> newest_night(const std::vector<Night>& nights, std::size_t end,
                                        const Wanted& wanted) {
  std::optional<std::size_t> partial;
  for (std::size_t i = end; i > 0; --i) {
    if (!wanted(nights[i - 1])) continue;
    if (nights[i - 1].complete) return i - 1;
    if (!partial) partial = i - 1;
  }
  return partial;
}

template <typename Wanted>
LastWeek::Ends ends_of(const std::vector<Night>& nights, std::size_t first, const Wanted& wanted) {
  return {.before = newest_night(nights, first, wanted),
          .now = newest_night(nights, nights.size(), wanted)};
}

/// The matrix of the newest night that has the case; empty: none has.
std::string matrix_of(const History& history, const Series& series) {
  for (std::size_t i = series.points.size(); i > 0; --i)
    if (series.points[i - 1].status) return history.nights[i - 1].matrix;
  return {};
}

std::optional<Status> status_in(const Series& series, std::optional<std::size_t> night) {
  return night ? series.points[*night].status : std::nullopt;
}

double median_or_missing(std::span<const double> values) {
  return values.empty() ? Point::missing : median(values);
}

}  // namespace

LastWeek last_week(const History& history) {
  const auto& nights = history.nights;
  LastWeek week{.first = first_night_of_week(nights), .by_matrix = {}};
  week.all = ends_of(nights, week.first, [](const Night&) { return true; });
  for (const auto& night : nights) {
    const auto [entry, is_new] = week.by_matrix.try_emplace(night.matrix);
    if (is_new)
      entry->second = ends_of(nights, week.first, [&night](const Night& other) {
        return other.matrix == night.matrix;
      });
  }
  return week;
}

WeekChange week_change(const History& history, const Series& series, const LastWeek& week) {
  const auto trace = trace_of(history, series);
  const auto split = static_cast<std::size_t>(std::ranges::lower_bound(trace.nights, week.first) -
                                              trace.nights.begin());
  const std::span values(trace.values);
  const auto before = values.first(split);
  const auto matrix = week.by_matrix.find(matrix_of(history, series));
  const auto ends = matrix == week.by_matrix.end() ? LastWeek::Ends{} : matrix->second;
  return {.before = status_in(series, ends.before),
          .now = status_in(series, ends.now),
          .value_before = median_or_missing(before.last(std::min(split, nights_before))),
          .value_now = median_or_missing(values.subspan(split)),
          .unit = trace.unit};
}

}  // namespace vparity::reports
