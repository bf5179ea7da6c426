#include "harness/io/usage_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace vparity::harness {
namespace {

/// Levenshtein's distance, one row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// If more than a third of the letters differ, it is another word, not a typing error.
std::size_t tolerated_distance(std::string_view given, std::string_view known) {
  return std::max<std::size_t>(1, (std::max(given.size(), known.size()) + 1) / 3);
}

/// Longer than any name there is, and long enough to make the distance's cost matter.
constexpr std::size_t longest_slip = 64;

}  // namespace

std::optional<std::string> nearest_name(std::string_view given,
                                        const std::vector<std::string>& known) {
  if (given.size() > longest_slip) return std::nullopt;
  std::optional<std::string> nearest;
  std::size_t nearest_distance = 0;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(given, name);
    if (distance > tolerated_distance(given, name)) continue;
    if (nearest && distance >= nearest_distance) continue;
    nearest = name;
    nearest_distance = distance;
  }
  return nearest;
}

std::string suggestion(std::string_view given, const std::vector<std::string>& known) {
  if (const auto nearest = nearest_name(given, known))
    return fmt::format(" (did you mean {}?)", *nearest);
  return known.empty() ? "" : fmt::format(" (known: {})", fmt::join(known, ", "));
}

}  // namespace vparity::harness
