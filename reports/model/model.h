// What a run found out, as data: the same structures are sent by the worker, journaled, written to
// parity.json and read back. Field meanings: docs/report-files.md.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/model/known_failures.h"
#include "reports/model/timing.h"

namespace vparity::reports {

enum class Status { passed, failed, untrusted, error, timeout, crashed, skipped, not_run };
std::string_view name_of(Status status);
std::optional<Status> status_named(std::string_view name);
/// What a case measures; each has a report of its own.
enum class Measure { parity, throughput };
std::string_view name_of(Measure measure);

/// Neither passed nor skipped.
bool is_failure(Status status);

struct Reason {
  std::string code;  ///< machine-readable, lower_snake_case
  std::string text;
  bool operator==(const Reason&) const = default;
};

struct WorstElement {
  std::int64_t row = 0;     ///< global
  std::int64_t column = 0;  ///< global for grad_logits, the id column for logprob, else 0
  int rank = 0;             ///< world rank
  double expected = 0;
  double actual = 0;
};

/// What arithmetic in the logits' storage type would have been off by.
struct NaiveError {
  double max_abs = 0;
  double error_ratio = 0;
};

/// One output compared with the reference.
struct OutputResult {
  std::string name;  ///< logprob entropy lse loss grad_logits loss_mean entropy_mean
  std::int64_t elements = 0;
  std::int64_t checked = 0;
  std::int64_t mismatches = 0;
  std::int64_t nonfinite = 0;  ///< actual values that are NaN or infinite
  double max_abs = 0;          ///< over finite pairs
  double max_rel = 0;
  double max_ulp = 0;  ///< in ulps of the output type at the expected value
  double rms = 0;
  double error_ratio =
      0;  ///< max |err| / bound; > 1 fails; infinite where an exact value was missed
  /// Elements with a bound and a finite expected value other than 0. Older reports lack it.
  std::optional<std::int64_t> nontrivial = {};
  std::optional<NaiveError> naive =
      {};  ///< on the elements with a bound; nothing if there are none
  double bound_k = 0;
  double bound_c = 0;
  std::optional<WorstElement> worst;
};

struct Invariant {
  std::string name;
  bool ok = false;
  double value = 0;
  double bound = 0;
};

struct CaseResult {
  Measure measure = Measure::parity;
  std::string id;
  std::string key;
  nlohmann::ordered_json params;
  Status status = Status::not_run;
  std::optional<Reason> reason;
  /// Where it ended: plan (never started), launch, inputs, forward, backward, reference, compare,
  /// relations, done; of throughput: plan, launch, inputs, warmup, timing, done.
  std::string phase;
  int attempts = 0;
  double wall_s = 0;
  std::map<std::string, double> phases_s = {};  ///< of parity: of wall_s, on world rank 0
  std::string repeat;                           ///< a command line that repeats just this case
  std::string known_failure;  ///< `match` of the entry that excuses it; empty: none

  /// Of throughput: on some rows of one iteration.
  std::vector<OutputResult> outputs;

  Timing timing = {};  ///< of throughput

  // Of parity alone.
  nlohmann::ordered_json occurrence =
      {};  ///< what really occurred of the patterns; counts and shares
  std::vector<Invariant> invariants = {};
  bool rank_agreement = true;  ///< replicated results have the same bits on all TP ranks
  bool inputs_unchanged = true;
};

/// A case is told by its members: those of throughput have `samples_s`. The from_json functions
/// throw nlohmann::json::exception or std::invalid_argument where a member is missing, has the
/// wrong type or an unknown name.
nlohmann::ordered_json to_json(const CaseResult& result);
CaseResult case_from_json(const nlohmann::json& json);

/// A double as JSON: a number if finite, else "NaN", "Infinity", "-Infinity".
nlohmann::ordered_json number(double value);
double number_from(const nlohmann::json& json);

struct Run {
  std::string id;
  std::string matrix;
  std::string started;  ///< UTC, ISO 8601
  std::string finished;
  std::vector<std::string> argv;
  std::uint64_t seed = 0;
  int shard_index = 1;
  int shard_count = 1;
  /// Of the cases, among those of all shards, from 0; empty if there is one shard.
  std::vector<std::int64_t> shard_positions;
  std::int64_t shard_total = 0;  ///< cases of all shards
  std::string shard_plan;        ///< what these are: 16 hex digits, the same in all shards
  bool complete = false;         ///< every planned case has been decided by running or skipping it
  double launch_s = 0;           ///< until ranks were up, of all jobs together
  std::optional<int> exit_code;
};
nlohmann::ordered_json to_json(const Run& run);
Run run_from_json(const nlohmann::json& json);

struct Summary {
  std::int64_t planned = 0, passed = 0, failed = 0, untrusted = 0, error = 0, timeout = 0,
               crashed = 0, skipped = 0, not_run = 0, dropped = 0;
  std::int64_t known_failures = 0;  ///< failed ones that are excused; counted by status as well
  struct Worst {
    std::string case_id;
    std::string output;
    double error_ratio = 0;
  };
  std::optional<Worst> worst;  ///< the largest error ratio of any compared output
};
/// `dropped`: points of the matrix that are no cases because a pattern cannot occur in them.
Summary summarise(const std::vector<CaseResult>& cases, std::int64_t dropped);
nlohmann::ordered_json to_json(const Summary& summary);
Summary summary_from_json(const nlohmann::json& json);

/// What all cases of a run came to, whatever they measure: parity first, each in the order of the
/// plan.
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

/// parity.json or throughput.json: the cases that measure that, with the summary of these.
nlohmann::ordered_json to_json(const Report& report, Measure measure);
Report report_from_json(const nlohmann::json& json);

/// How fast the memory is, by the throughput cases with the most ranks that each have a core, and
/// among these with the most bytes, not in a cache: of all these ranks together; null if there are
/// none.
nlohmann::ordered_json machine_of(const std::vector<CaseResult>& cases);

}  // namespace vparity::reports
