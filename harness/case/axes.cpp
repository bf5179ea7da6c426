#include "harness/case/axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/case/axis_table.h"
#include "harness/case/sha256.h"
#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

const Axis& axis_named(std::string_view name) {
  const std::vector<Axis>& table = axis_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Axis& axis) { return axis.name == name; });
  if (found == table.end())
    throw UsageError(fmt::format("unknown axis {}{}", shown(name), suggestion(name, axis_names())));
  return *found;
}

/// A value as it stands in a key.
std::string key_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<float>());
  if (value.is_array())
    return fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), "+"));
  return value.dump();
}

/// Whether the axis stands in keys and reports.
bool is_said(const Axis& axis, const CaseParameters& parameters) {
  return !axis.optional || axis.write(parameters) != axis.write(CaseParameters{});
}

std::string key_field(const Axis& axis, const CaseParameters& parameters) {
  return fmt::format("{}={}", axis.name, key_text(axis.write(parameters)));
}

}  // namespace

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Axis& axis : axis_table()) result.push_back(axis.name);
    return result;
  }();
  return names;
}

void set_axis(CaseParameters& parameters, std::string_view axis, const json& value) {
  axis_named(axis).read(parameters, value);
}

json axis_value(const CaseParameters& parameters, std::string_view axis) {
  return axis_named(axis).write(parameters);
}

const std::vector<json>& enumerated_values(std::string_view axis) {
  return axis_named(axis).values;
}

nlohmann::ordered_json to_json(const CaseParameters& parameters) {
  nlohmann::ordered_json result = nlohmann::ordered_json::object();
  for (const Axis& axis : axis_table())
    if (is_said(axis, parameters)) result[axis.name] = axis.write(parameters);
  return result;
}

CaseParameters parameters_from_json(const json& json) {
  if (!json.is_object()) throw UsageError("a case's parameters are not an object");
  CaseParameters parameters;
  for (const auto& [axis, value] : json.items()) set_axis(parameters, axis, value);
  return parameters;
}

std::string case_key(const CaseParameters& parameters) {
  std::string key = ",";
  for (const Axis& axis : axis_table())
    if (is_said(axis, parameters)) key += key_field(axis, parameters) + ",";
  return key;
}

std::string brief_key(const CaseParameters& parameters) {
  const CaseParameters defaults;
  std::vector<std::string> fields;
  for (const Axis& axis : axis_table())
    if (axis.write(parameters) != axis.write(defaults))
      fields.push_back(key_field(axis, parameters));
  return fmt::format("{}", fmt::join(fields, " "));
}

std::string case_id(std::string_view key) {
  constexpr std::size_t id_digits = 12;
  return sha256_hex(key).substr(0, id_digits);
}

}  // namespace vparity::harness
