// Values of a JSON file that nobody has checked yet.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace vparity::harness {

/// The integer that `value` is, if it fits. JSON has one kind of number: 4.0 and 4 are the same
/// integer, as they are for a JSON Schema.
std::optional<std::int64_t> as_integer(const nlohmann::json& value);

/// `value` for an error message: one short line, whatever the file holds.
std::string shown(const nlohmann::json& value);

/// 1 to 64 letters, digits, '_', '.' and '-': neither ends a field of a case key, nor means
/// something to a filter or a path.
bool is_plain_name(const std::string& text);

}  // namespace vparity::harness
