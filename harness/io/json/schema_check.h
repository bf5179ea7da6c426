// JSON files of this program's own formats, judged by the JSON Schemas that it publishes: what a
// schema refuses is not read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vparity::harness {

/// Throws UsageError naming `file` and the first place in it where its `value` does not obey
/// `schema`. That is a JSON Schema (draft 2020-12) of the keywords that the published ones use;
/// another keyword is a std::logic_error. Stricter in one point: 1.0 is no integer.
void require_valid(const nlohmann::json& value, const nlohmann::json& schema,
                   const std::string& file);

}  // namespace vparity::harness
