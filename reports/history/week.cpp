#include "reports/history/week.h"

#include <chrono>
#include <cstdio>
#include <string>

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

}  // namespace

bool within_a_week(const Night& earlier, const Night& later) {
  return point_in_time(later.started) - point_in_time(earlier.started) < week_length;
}

}  // namespace vparity::reports
