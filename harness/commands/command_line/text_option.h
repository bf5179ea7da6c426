// Checks of options that are text.
#pragma once

#include <string>

namespace vparity::harness {

/// For CLI::Option::check. An empty value is an unset shell variable, not a wish for the default.
inline std::string not_empty(const std::string& text) {
  return text.empty() ? "the value is empty" : "";
}

}  // namespace vparity::harness
