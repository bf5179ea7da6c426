// What changed between two sides, of one or several runs each: as data. Field meanings:
// docs/comparing.md.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/exit_code.h"
#include "reports/model/model.h"
#include "reports/statistics/change.h"

namespace vparity::reports {

/// A finished run of one side.
struct ComparedRun {
  std::string path;  ///< as whoever asked called it
  Report report;
};

struct ComparisonOptions {
  Criteria criteria = {};
  /// Compiler, flags and build type may differ: they are what is compared.
  bool across_builds = false;
};

/// `regressed`: passes no longer, or is new and does not pass. `fixed`: does now. `changed`:
/// another status that passes the gate neither more nor less. `error_ratio_grew`: passes as before,
/// nearer to a bound.
enum class ParityChange { regressed, fixed, changed, error_ratio_grew, fresh, missing };
std::string_view name_of(ParityChange change);

/// The largest of the runs' error ratios on each side; of base nothing where it has none.
struct ErrorRatioChange {
  std::string output;
  std::optional<double> base;
  double head = 0;
};

struct ParityDifference {
  std::string id, key;
  nlohmann::ordered_json params;
  ParityChange change = ParityChange::changed;
  std::optional<Status> base, head;  ///< the worst of the runs'; nothing: not there
  /// Those that grew and, where the case regressed, those above 1, the worst first.
  std::vector<ErrorRatioChange> error_ratios;
  std::string repeat;  ///< of head, else of base
};

/// Code of the reason of a throughput case that fails the gate in head and did not in base.
inline constexpr std::string_view broken = "broken";

/// A case that can be compared has a change; the others, a reason.
struct ThroughputDifference {
  std::string id, key, variant;
  nlohmann::ordered_json params;
  std::vector<double> base_s, head_s;  ///< each process's median, pair by pair
  std::optional<Change> change;
  /// Median of head over that of base, less 1; also where there is no verdict.
  std::optional<double> observed;
  /// Why it is not comparable, or inconclusive for want of processes.
  std::optional<Reason> reason;
  std::string verdict;  ///< that of the change, `not_comparable`, `new` or `missing`
  std::string repeat;
};

struct Comparison {
  ComparisonOptions options;
  std::vector<ComparedRun> base, head;  ///< without their cases
  std::vector<std::string> notes;       ///< what a reader has to know beside the cases
  std::int64_t parity_compared = 0, parity_failing_in_both = 0;
  std::vector<ParityDifference> parity;          ///< what changed, the worst first
  std::vector<ThroughputDifference> throughput;  ///< all, the worst first

  std::int64_t count(ParityChange change) const;
  std::int64_t count(std::string_view verdict) const;
};

/// The i-th run of base and the i-th of head are a pair; there are as many of each, at least one,
/// and no run stands on one side twice.
Comparison compare_runs(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                        const ComparisonOptions& options);

/// 1 after a regression of parity or a confirmed one of throughput; else 5 if a case is missing,
/// not comparable or inconclusive, or is checked no longer; else 0.
ExitCode exit_code(const Comparison& comparison);

/// "vparity.comparison/1".
nlohmann::ordered_json to_json(const Comparison& comparison);

}  // namespace vparity::reports
