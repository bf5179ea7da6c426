// What a run found out, as data: written to parity.json and throughput.json and read back. Field
// meanings: docs/report-files.md.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/case_result.h"
#include "reports/model/known_failures.h"

namespace vparity::reports {

struct Run {
  std::string id;
  std::string matrix;
  std::string started;  ///< UTC, ISO 8601
  std::string finished;
  std::vector<std::string> argv;
  std::uint64_t seed = 0;
  int shard_index = 1;
  int shard_count = 1;
  /// Position of each case among the cases of all shards, from 0; empty if there is one shard.
  std::vector<std::int64_t> shard_positions;
  std::int64_t shard_total = 0;  ///< cases of all shards
  std::string shard_plan;        ///< 16 hex digits that identify the plan; the same in all shards
  bool complete = false;         ///< every planned case was run or skipped
  double launch_s = 0;           ///< time until ranks were up, summed over all jobs
  std::optional<int> exit_code;
};
nlohmann::ordered_json to_json(const Run& run);
Run run_from_json(const nlohmann::json& json);

struct Summary {
  std::int64_t planned = 0, passed = 0, failed = 0, untrusted = 0, error = 0, timeout = 0,
               crashed = 0, skipped = 0, not_run = 0, dropped = 0;
  std::int64_t known_failures = 0;  ///< excused failures; counted by status as well
  struct Worst {
    std::string case_id;
    std::string output;
    double error_ratio = 0;
  };
  std::optional<Worst> worst;  ///< the largest error ratio of any compared output
};
/// `dropped`: points of the matrix without a case because a pattern cannot occur in them.
Summary summarise(const std::vector<CaseResult>& cases, std::int64_t dropped);
nlohmann::ordered_json to_json(const Summary& summary);
Summary summary_from_json(const nlohmann::json& json);

/// All cases of a run: parity first, then throughput, each in the order of the plan.
struct Report {
  Run run;
  nlohmann::ordered_json provenance;
  nlohmann::ordered_json hosts;
  std::string fingerprint;
  Summary summary;
  std::vector<CaseResult> cases;
  std::vector<KnownFailure> known_failures;

  bool has(Measure measure) const;
};

/// parity.json or throughput.json: the cases of this measure and their summary.
nlohmann::ordered_json to_json(const Report& report, Measure measure);
Report report_from_json(const nlohmann::json& json);

/// Memory bandwidth of all ranks together, as the median over the throughput cases that tell it
/// best: each rank has a core, the buffers leave the cache, and among these the most ranks and then
/// the most bytes. Null if there is no such case.
nlohmann::ordered_json machine_of(const std::vector<CaseResult>& cases);

}  // namespace vparity::reports
