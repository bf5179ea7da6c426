// JSON as it is written to files: round-trip numbers, valid UTF-8, arrays of structures.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vparity::reports {

/// Bytes that are not UTF-8 (reasons quote what ranks said) become U+FFFD.
inline std::string json_line(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// The same, indented.
inline std::string json_document(const nlohmann::ordered_json& value) {
  return value.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// A double as JSON: a number if finite, else "NaN", "Infinity", "-Infinity".
nlohmann::ordered_json number(double value);
/// Throws nlohmann::json::exception or std::invalid_argument for anything else.
double number_from(const nlohmann::json& json);

template <typename Element, typename Convert>
nlohmann::ordered_json array_to_json(const std::vector<Element>& elements, Convert convert) {
  auto array = nlohmann::ordered_json::array();
  for (const auto& element : elements) array.push_back(convert(element));
  return array;
}

template <typename Convert>
auto array_from_json(const nlohmann::json& array, Convert convert) {
  std::vector<decltype(convert(array))> elements;
  elements.reserve(array.size());
  for (const auto& element : array) elements.push_back(convert(element));
  return elements;
}

}  // namespace vparity::reports
