#include "harness/io/json/json_value.h"

#include <cmath>
#include <limits>

namespace vparity::harness {

using nlohmann::json;

std::optional<std::int64_t> as_integer(const json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  constexpr double two_63 = 9223372036854775808.0;
  const auto number = value.get<double>();
  if (number != std::trunc(number) || number < -two_63 || number >= two_63) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::string shown(const json& value) {
  constexpr std::size_t enough = 60;
  const std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= enough ? text : text.substr(0, enough) + "...";
}

bool is_plain_name(const std::string& text) {
  constexpr std::size_t longest = 64;
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return !text.empty() && text.size() <= longest &&
         text.find_first_not_of(plain) == std::string::npos;
}

}  // namespace vparity::harness
