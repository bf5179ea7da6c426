// Invalid input from the user: exit code 2, before any work.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::harness {

/// The message names the place (file, JSON pointer or option), the value, and the nearest right
/// thing.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The known name nearest to `given` by edit distance; nothing if none is near.
std::optional<std::string> nearest_name(std::string_view given,
                                        const std::vector<std::string>& known);

/// " (did you mean X?)" with the nearest known name, or " (known: A, B, C)" if none is near.
std::string suggestion(std::string_view given, const std::vector<std::string>& known);

}  // namespace vparity::harness
