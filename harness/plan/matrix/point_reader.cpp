#include "harness/plan/matrix/point_reader.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "harness/case/axes.h"
#include "harness/io/usage_error.h"
#include "harness/provider/registry/registry.h"

namespace vparity::harness {

using nlohmann::json;

namespace {

void require_provider(const std::string& name, const JsonPlace& place) {
  try {
    provider_named(name);
  } catch (const UsageError& error) {
    place.fail(fmt::format("provider: {}", error.what()));
  }
}

}  // namespace

void PointReader::set(CaseParameters& parameters, std::string_view axis, const json& value,
                      const JsonPlace& place) {
  if (axis == "vocab" && value.is_string()) {
    parameters.vocab = models_.columns_of(value.get<std::string>(), place);
    return;
  }
  try {
    set_axis(parameters, axis, value);
  } catch (const UsageError& error) {
    place.fail(error.what());
  }
  if (axis == "provider") require_provider(parameters.provider, place);
}

void PointReader::set_all(CaseParameters& parameters, const json& point, const JsonPlace& place) {
  if (!point.is_object()) place.fail(fmt::format("must be an object, not {}", point.type_name()));
  if (point.empty()) place.fail("names no axis");
  for (const auto& [axis, value] : point.items()) set(parameters, axis, value, place / axis);
}

}  // namespace vparity::harness
