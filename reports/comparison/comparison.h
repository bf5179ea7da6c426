// A run comparison: what changed between two sides, of one or several runs each. The meaning of the
// fields: docs/comparing.md.
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
  std::string path;  ///< as given on the command line
  Report report;
};

struct ComparisonOptions {
  Criteria criteria = {};
  /// Compiler, flags and build type of the two sides may differ.
  bool across_builds = false;
};

/// `regressed`: does not pass the gate any more, or is new and does not pass. `fixed`: passes now.
/// `changed`: another status that passes or fails the gate as before. `error_ratio_grew`: passes as
/// before, with a larger error ratio.
enum class ParityChange { regressed, fixed, changed, error_ratio_grew, fresh, missing };
std::string_view name_of(ParityChange change);

/// The largest error ratio of the runs of each side; nothing if base has none.
struct ErrorRatioChange {
  std::string output;
  std::optional<double> base;
  double head = 0;
};

struct ParityDifference {
  std::string id, key;
  nlohmann::ordered_json params;
  ParityChange change = ParityChange::changed;
  std::optional<Status> base, head;  ///< the worst of the runs; nothing if no run has it
  /// Those that grew and, if the case regressed, those above 1, the worst first.
  std::vector<ErrorRatioChange> error_ratios;
  std::string repeat;  ///< the command of head, otherwise of base
};

/// Reason code of a throughput case that fails the gate in head and not in base.
inline constexpr std::string_view broken = "broken";

/// A comparable case has a change; all other cases have a reason.
struct ThroughputDifference {
  std::string id, key, variant;
  nlohmann::ordered_json params;
  std::vector<double> base_s, head_s;  ///< the median of each process, in the order of the pairs
  std::optional<Change> change;
  /// Median of head / median of base - 1, also where there is no verdict.
  std::optional<double> observed;
  /// Why the case is not comparable, or inconclusive because of too few processes.
  std::optional<Reason> reason;
  std::string verdict;  ///< name of a Verdict, `not_comparable`, `new` or `missing`
  std::string repeat;
};

struct Comparison {
  ComparisonOptions options;
  std::vector<ComparedRun> base, head;  ///< without their cases
  std::vector<std::string> notes;       ///< sentences for the reader
  std::int64_t parity_compared = 0, parity_failing_in_both = 0;
  std::vector<ParityDifference> parity;          ///< what changed, the worst first
  std::vector<ThroughputDifference> throughput;  ///< all, the worst first

  std::int64_t count(ParityChange change) const;
  std::int64_t count(std::string_view verdict) const;
};

/// The i-th run of base and the i-th run of head are a pair. Both sides have the same number of
/// runs, at least one, and no run is twice on one side.
Comparison compare_runs(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                        const ComparisonOptions& options);

/// 1 after a regression of parity or of throughput; otherwise 5 if a case is missing, not
/// comparable, inconclusive or not checked any more; otherwise 0.
ExitCode exit_code(const Comparison& comparison);

/// "vparity.comparison/1".
nlohmann::ordered_json to_json(const Comparison& comparison);

}  // namespace vparity::reports
