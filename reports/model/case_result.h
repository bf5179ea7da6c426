// What came of one case, as data: sent by the worker, journaled, written to the reports and read
// back. Field meanings: docs/report-files.md.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/model/json_text.h"
#include "reports/model/timing.h"

namespace vparity::reports {

enum class Status { passed, failed, untrusted, error, timeout, crashed, skipped, not_run };
std::string_view name_of(Status status);
std::optional<Status> status_named(std::string_view name);
/// Neither passed nor skipped.
bool is_failure(Status status);

/// What a case measures. Each measure has a report of its own.
enum class Measure { parity, throughput };
std::string_view name_of(Measure measure);

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

/// The error of a kernel that does its arithmetic in the logits' storage type.
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
  /// max |err| / bound. Above 1 is a failure; infinite where an exact value was missed.
  double error_ratio = 0;
  /// Elements with a bound and a finite expected value other than 0. Older reports lack it.
  std::optional<std::int64_t> nontrivial = {};
  /// Over the elements with a bound; absent if there are none.
  std::optional<NaiveError> naive = {};
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

/// What only a parity case has.
struct ParityFindings {
  std::map<std::string, double> phases_s = {};  ///< parts of wall_s, on world rank 0
  /// Counts and shares of the special values that really occurred.
  nlohmann::ordered_json occurrence = nlohmann::ordered_json::object();
  std::vector<Invariant> invariants = {};
  bool rank_agreement = true;  ///< replicated results have the same bits on all TP ranks
  bool inputs_unchanged = true;
};

/// By measure.
using Measured = std::variant<ParityFindings, Timing>;
/// Of a case that was not run.
Measured unmeasured(Measure measure);

/// What the ranks know of a case.
struct CaseOutcome {
  Status status = Status::not_run;
  std::optional<Reason> reason;
  /// Where it ended. Parity: plan (never started), launch, inputs, forward, backward, reference,
  /// compare, relations, done. Throughput: plan, launch, inputs, warmup, timing, done.
  std::string phase;
  double wall_s = 0;
  /// Of throughput: some rows of one iteration.
  std::vector<OutputResult> outputs;
  Measured measured;

  Measure measure() const;
  /// Throw std::bad_variant_access for a case of the other measure.
  const ParityFindings& parity() const { return std::get<ParityFindings>(measured); }
  ParityFindings& parity() { return std::get<ParityFindings>(measured); }
  const Timing& timing() const { return std::get<Timing>(measured); }
  Timing& timing() { return std::get<Timing>(measured); }

  /// Throughput, with samples.
  bool was_timed() const;
};

/// For the event "result" (harness/case/protocol/protocol.h): member "measure" says which it is.
/// All from_json functions throw nlohmann::json::exception or std::invalid_argument where a member
/// is missing, has the wrong type or an unknown name.
nlohmann::ordered_json to_json(const CaseOutcome& outcome);
CaseOutcome outcome_from_json(const nlohmann::json& json);

/// A case of a report: its outcome and what the parent knows of it.
struct CaseResult : CaseOutcome {
  std::string id;
  std::string key;
  nlohmann::ordered_json params = nlohmann::ordered_json::object();
  int attempts = 0;
  std::string repeat;         ///< a command line that repeats just this case
  std::string known_failure;  ///< `match` of the entry that excuses it; empty: none
};

/// A case as it stands in the report of its measure.
nlohmann::ordered_json to_json(const CaseResult& result);
CaseResult case_from_json(const nlohmann::json& json, Measure measure);

}  // namespace vparity::reports
