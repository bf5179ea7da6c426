// The axes by name: reading and writing their values, and the case key and id that other programs
// rely on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/case/parameters.h"

namespace vparity::harness {

/// Every axis name, sorted.
const std::vector<std::string>& axis_names();

/// Sets one axis. Throws UsageError (harness/io/usage_error.h) naming the axis, the value and the
/// nearest known one.
void set_axis(CaseParameters& parameters, std::string_view axis, const nlohmann::json& value);

/// The value of one axis as it stands in a matrix file.
nlohmann::json axis_value(const CaseParameters& parameters, std::string_view axis);

/// Every value of an axis that has a fixed set of them (enumerations, switches), default first;
/// empty for the others.
const std::vector<nlohmann::json>& enumerated_values(std::string_view axis);

/// All axes, sorted by name: `params` of a report, and what a worker gets.
nlohmann::ordered_json to_json(const CaseParameters& parameters);
/// Axes that are not named keep their defaults. Throws UsageError like set_axis.
CaseParameters parameters_from_json(const nlohmann::json& json);

/// ",name=value,...,name=value,": sorted by name; numbers in shortest round-trip form, booleans
/// true/false, an absent softcap null, grad_of joined with '+' in the order loss, logprob, entropy.
std::string case_key(const CaseParameters& parameters);

/// "name=value name=value": what of the key is not at its default, for people.
std::string brief_key(const CaseParameters& parameters);

/// The first 12 hex digits of the key's SHA-256.
std::string case_id(std::string_view key);

}  // namespace vparity::harness
