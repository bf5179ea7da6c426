#include "reports/model/json_text.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace vparity::reports {

nlohmann::ordered_json number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

double number_from(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto text = value.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return infinity;
  if (text == "-Infinity") return -infinity;
  throw std::invalid_argument("\"" + text + "\" is no number (nor NaN, Infinity, -Infinity)");
}

}  // namespace vparity::reports
