// Numeric command-line options, converted without locale and checked against their range. (CLI11
// converts numbers with strtold, which follows the locale.)
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "harness/io/usage_error.h"

namespace vparity::harness {

/// Both ends belong to the range.
template <class T>
struct NumberRange {
  T lowest = std::numeric_limits<T>::lowest();
  T highest = std::numeric_limits<T>::max();
};

/// `text` as a number, all of it. Throws UsageError naming `option`, the text and the range.
template <class T>
T parse_number(std::string_view option, std::string_view text, const NumberRange<T>& range = {}) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = error == std::errc{} && end == text.data() + text.size();
  if constexpr (std::floating_point<T>) good = good && std::isfinite(value);
  if (good && range.lowest <= value && value <= range.highest) return value;
  const bool unlimited =
      range.lowest == NumberRange<T>{}.lowest && range.highest == NumberRange<T>{}.highest;
  throw UsageError(fmt::format("{}: '{}' is not {}{}", option, text,
                               std::integral<T> ? "an integer" : "a number",
                               std::floating_point<T> && unlimited
                                   ? ""
                                   : fmt::format(" from {} to {}", range.lowest, range.highest)));
}

template <class Target>
struct NumberIn {
  using type = Target;
};
template <class T>
struct NumberIn<std::optional<T>> {
  using type = T;
};

/// Adds a numeric option. `target` is a number, whose value is the default shown by --help, or an
/// optional number; it outlives the parsing. The names are CLI11's ("-n,--number"); messages use
/// the last one.
template <class Target, class T = typename NumberIn<Target>::type>
CLI::Option* add_number(CLI::App& app, const std::string& names, Target& target,
                        const std::string& description, const NumberRange<T>& range = {}) {
  const std::string option = names.substr(names.rfind(',') + 1);
  const auto convert = [&target, option, range](const std::string& text) {
    target = parse_number<T>(option, text, range);
  };
  CLI::Option* added = app.add_option_function<std::string>(names, convert, description);
  if constexpr (std::same_as<Target, T>) added->default_str(fmt::format("{}", target));
  return added->type_name(std::integral<T> ? "N" : "X");
}

}  // namespace vparity::harness
