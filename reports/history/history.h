// What many runs found out, night after night, case by case. What may be held against what, and
// why: docs/history.md.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// A run, as a history knows it.
struct Night {
  std::string run_id = {};
  std::string matrix = {};
  std::string started = {};      ///< UTC, ISO 8601
  std::string revision = {};     ///< of git; empty: unknown
  bool dirty = false;            ///< the sources were not as that revision has them
  std::string fingerprint = {};  ///< of machine and build, see Report
  std::string anchor = {};  ///< the build that ran beside it, as build_name says it; empty: none
  bool complete = false;    ///< see Run
  std::optional<int> exit_code = {};
};

/// One case in one night.
struct Point {
  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

  std::optional<Status> status = {};  ///< nothing: the run does not have the case
  /// Of throughput the median in seconds, if it is comparable (comparison/obstacles.h); of parity
  /// the largest error ratio of its outputs, which may be infinite.
  double value = missing;
  double anchor = missing;  ///< of throughput: the anchor's value
};

/// One case in all nights.
struct Series {
  Measure measure = Measure::parity;
  std::string id = {}, key = {};
  std::string variant = {};  ///< of throughput, see Timing
  std::string repeat = {};   ///< the command that repeats it, as the newest night has it
  std::vector<Point> points = {};
};

struct History {
  std::vector<Night> nights = {};   ///< in the order in which they started
  std::vector<Series> series = {};  ///< each has a point for every night
};

/// What can be held against each other of a series: the newest night that has the case decides.
struct Trace {
  enum class Unit { seconds, ratio, error_ratio };

  Unit unit = Unit::error_ratio;
  std::vector<std::size_t> nights =
      {};  ///< of that night's machine and anchor, where there is a value
  std::vector<double> values =
      {};  ///< of these: time, time over that of the anchor, or error ratio
};
Trace trace_of(const History& history, const Series& series);
std::string_view name_of(Trace::Unit unit);

/// One night with its cases, as it comes from a run: `anchor` ran the same cases beside it, or is
/// null.
History night_of(const Report& report, const Report* anchor);

/// A build by its revision, by its version where that is unknown; "-dirty" is said.
std::string build_name(const Report& report);

}  // namespace vparity::reports
