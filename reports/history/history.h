// The results of many runs, case by case and night by night. Which nights are compared, and why:
// docs/history.md.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// A run in a history.
struct Night {
  std::string run_id = {};
  std::string matrix = {};
  std::string started = {};      ///< UTC, ISO 8601
  std::string revision = {};     ///< git revision; empty if unknown
  bool dirty = false;            ///< the sources differed from that revision
  std::string fingerprint = {};  ///< identifies machine and build, see Report
  std::string anchor = {};       ///< build_name() of the anchor; empty without one
  bool complete = false;         ///< see Run
  std::optional<int> exit_code = {};
};

/// The result of one case in one night.
struct Point {
  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

  std::optional<Status> status = {};  ///< nothing if the run does not have the case
  /// Throughput: the median in seconds, if it is comparable (comparison/obstacles.h). Parity: the
  /// largest error ratio of the outputs, which may be infinite.
  double value = missing;
  double anchor = missing;  ///< throughput: the median of the anchor
};

/// One case in all nights.
struct Series {
  Measure measure = Measure::parity;
  std::string id = {}, key = {};
  std::string variant = {};  ///< throughput: see Timing
  std::string repeat = {};   ///< the command that repeats it, from the newest night
  std::vector<Point> points = {};
};

struct History {
  std::vector<Night> nights = {};   ///< in the order in which they started
  std::vector<Series> series = {};  ///< each has one point for every night
};

/// The comparable values of a series: those of nights with the same machine and anchor as the
/// newest night that has the case.
struct Trace {
  enum class Unit { seconds, ratio, error_ratio };

  Unit unit = Unit::error_ratio;
  std::vector<std::size_t> nights = {};  ///< the comparable nights that have a value
  std::vector<double> values = {};       ///< one for each of these nights, in `unit`
};
Trace trace_of(const History& history, const Series& series);
std::string_view name_of(Trace::Unit unit);

/// A history of one night, made from a run. `anchor` is the anchor's run in the same night, or
/// null.
History night_of(const Report& report, const Report* anchor);

/// The name of a build: its git revision, or its version if that is unknown; "-dirty" is appended.
std::string build_name(const Report& report);

}  // namespace vparity::reports
