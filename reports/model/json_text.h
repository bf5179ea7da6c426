// JSON as it is written to files: round-trip numbers, valid UTF-8.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vparity::reports {

/// Bytes that are not UTF-8 (what ranks said is quoted in reasons) become U+FFFD.
inline std::string json_line(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// The same, indented.
inline std::string json_document(const nlohmann::ordered_json& value) {
  return value.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace vparity::reports
