#include "reports/model/known_failures.h"

#include <fnmatch.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace vparity::reports {
namespace {

constexpr std::array<std::pair<KnownFailureState, std::string_view>, 4> state_names{{
    {KnownFailureState::unused, "unused"},
    {KnownFailureState::known, "known"},
    {KnownFailureState::expired, "expired"},
    {KnownFailureState::unexpected_pass, "unexpected_pass"},
}};

KnownFailureState state_from_json(const nlohmann::json& value) {
  const auto given = value.get<std::string>();
  for (const auto& [state, name] : state_names) {
    if (name == given) return state;
  }
  throw std::invalid_argument("unknown state \"" + given + "\"");
}

}  // namespace

std::string_view name_of(KnownFailureState state) {
  for (const auto& [value, name] : state_names) {
    if (value == state) return name;
  }
  throw std::invalid_argument("a state without a name");
}

bool glob_matches(const std::string& glob, const std::string& key) {
  return ::fnmatch(glob.c_str(), key.c_str(), 0) == 0;
}

bool matches(const KnownFailure& known, const std::string& key) {
  return glob_matches(known.match, key);
}

// Dates of this form are in the order of their text.
bool has_expired(const KnownFailure& known, std::string_view today) { return known.expiry < today; }

nlohmann::ordered_json to_json(const KnownFailure& known) {
  return {{"match", known.match},         {"reason", known.reason}, {"owner", known.owner},
          {"issue", known.issue},         {"expiry", known.expiry}, {"cases", known.cases},
          {"state", name_of(known.state)}};
}

KnownFailure known_failure_from_json(const nlohmann::json& value) {
  return {.match = value.at("match"),
          .reason = value.at("reason"),
          .owner = value.at("owner"),
          .issue = value.at("issue"),
          .expiry = value.at("expiry"),
          .cases = value.at("cases"),
          .state = state_from_json(value.at("state"))};
}

}  // namespace vparity::reports
