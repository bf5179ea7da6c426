// Failures that are known of: each with a reason, an owner and a day on which the excuse ends.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vparity::reports {

/// What came of an entry in a run (docs/known-failures.md).
enum class KnownFailureState {
  unused,           ///< it matches no case, or not all that it matches have run
  known,            ///< a case that it matches failed
  expired,          ///< the gate says no
  unexpected_pass,  ///< every case that it matches passed: the gate says no
};

struct KnownFailure {
  std::string match;  ///< a glob on the case key, as for --filter; the entry's name
  std::string reason;
  std::string owner;
  std::string issue;
  std::string expiry;      ///< "YYYY-MM-DD", UTC: the last day on which it holds
  std::int64_t cases = 0;  ///< of the matrix that it matches, this run's and others'
  KnownFailureState state = KnownFailureState::unused;
};

std::string_view name_of(KnownFailureState state);

/// Whether the glob (fnmatch of POSIX, no flags) matches the case key.
bool glob_matches(const std::string& glob, const std::string& key);

bool matches(const KnownFailure& known, const std::string& key);
/// `today` is "YYYY-MM-DD".
bool has_expired(const KnownFailure& known, std::string_view today);

/// Errors as those of case_from_json (reports/model/model.h).
nlohmann::ordered_json to_json(const KnownFailure& known);
KnownFailure known_failure_from_json(const nlohmann::json& json);

}  // namespace vparity::reports
