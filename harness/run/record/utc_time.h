// Points in time as they stand in names and reports.
#pragma once

#include <chrono>
#include <string>

namespace vparity::harness {

/// "2026-09-16T08:05:03Z"
std::string iso_utc(std::chrono::system_clock::time_point time);

/// "2026-09-16"
std::string utc_date(std::chrono::system_clock::time_point time);

/// "20260916T080503Z", for file names.
std::string compact_utc(std::chrono::system_clock::time_point time);

}  // namespace vparity::harness
