#include "reports/history/packed_series.h"

#include <algorithm>
#include <cmath>

namespace vparity::reports {
namespace {

using Values = std::vector<std::uint16_t>;

std::uint16_t zigzag(std::uint16_t difference) {
  const bool negative = (difference & 0x8000U) != 0;
  const unsigned twice = 2U * difference;
  return static_cast<std::uint16_t>(negative ? ~twice : twice);
}

/// As differences.
Values values_of(std::span<const Series> series, double Point::*member) {
  Values found;
  for (const auto& one : series) {
    std::uint16_t before = 0;
    for (const auto& point : one.points) {
      const auto value = packed_value(point.*member);
      found.push_back(zigzag(static_cast<std::uint16_t>(value - before)));
      before = value;
    }
  }
  return found;
}

void append_planes(std::string& bytes, const Values& values) {
  for (const auto value : values) bytes += static_cast<char>(value & 0xFFU);
  for (const auto value : values) bytes += static_cast<char>(value >> 8U);
}

bool has_anchor(const Series& series) {
  return std::ranges::any_of(series.points,
                             [](const Point& point) { return !std::isnan(point.anchor); });
}

}  // namespace

std::uint16_t packed_value(double value) {
  using Scale = PackedScale;
  if (std::isnan(value)) return Scale::missing;
  if (!(value > 0)) return Scale::zero;
  const double step =
      std::round((std::log2(value) - Scale::first_octave) * Scale::steps_per_octave) + Scale::first;
  if (step < Scale::first) return Scale::zero;
  return step < Scale::infinite ? static_cast<std::uint16_t>(step) : Scale::infinite;
}

std::string packed_series(std::span<const Series> series) {
  std::string bytes;
  for (const auto& one : series)
    for (const auto& point : one.points)
      bytes += static_cast<char>(point.status ? 1 + static_cast<int>(*point.status) : 0);
  append_planes(bytes, values_of(series, &Point::value));
  if (std::ranges::any_of(series, has_anchor))
    append_planes(bytes, values_of(series, &Point::anchor));
  return bytes;
}

}  // namespace vparity::reports
