#include "harness/run/record/utc_time.h"

#include <fmt/format.h>

#include <ctime>

namespace vparity::harness {
namespace {

std::tm utc(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return parts;
}

std::string format(std::chrono::system_clock::time_point time, const char* pattern) {
  const std::tm parts = utc(time);
  return fmt::format(fmt::runtime(pattern), parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace

std::string iso_utc(std::chrono::system_clock::time_point time) {
  return format(time, "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z");
}

std::string utc_date(std::chrono::system_clock::time_point time) {
  return format(time, "{:04}-{:02}-{:02}");
}

std::string compact_utc(std::chrono::system_clock::time_point time) {
  return format(time, "{:04}{:02}{:02}T{:02}{:02}{:02}Z");
}

}  // namespace vparity::harness
