// What a JSON file's value must be before it is looked into. All throw UsageError naming the place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/io/json/json_place.h"

namespace vparity::harness {

/// An object whose members are all among `known` and include all of `required`.
void require_object(const nlohmann::json& value, const JsonPlace& place,
                    const std::vector<std::string>& known,
                    const std::vector<std::string>& required);

/// The elements of a list that must not be empty.
const nlohmann::json::array_t& require_list(const nlohmann::json& value, const JsonPlace& place);

/// A text that must not be empty.
std::string require_text(const nlohmann::json& value, const JsonPlace& place);

/// A name that can be part of a path: 1 to 64 letters, digits, '_', '.' and '-'.
std::string require_name(const nlohmann::json& value, const JsonPlace& place);

/// Member "schema" of a file's object.
void require_schema(const nlohmann::json& root, const JsonPlace& place, const std::string& schema);

}  // namespace vparity::harness
