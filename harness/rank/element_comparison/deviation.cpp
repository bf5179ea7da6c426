#include "harness/rank/element_comparison/deviation.h"

#include <fmt/format.h>

#include <limits>
#include <type_traits>

namespace vparity::harness {

static_assert(std::is_trivially_copyable_v<Deviation>);

namespace {

double severity_of(double value, double bound) {
  if (value <= 0) return 0;
  const double severity = value / bound;
  return severity >= 0 ? severity : std::numeric_limits<double>::infinity();  // NaN
}

}  // namespace

void Deviation::add(double value, double bound, Output output, const Place& place) {
  Deviation one;
  one.looked_ = true;
  one.severity_ = severity_of(value, bound);
  one.value_ = value;
  one.bound_ = bound;
  one.output_ = output;
  one.place_ = place;
  combine(one);
}

void Deviation::combine(const Deviation& other) {
  if (other.looked_ && (!looked_ || other.severity_ > severity_)) *this = other;
}

std::string Deviation::place() const {
  const std::string row = fmt::format("{} of row {}", name_of(output_), place_.row);
  return place_.column < 0 ? row : fmt::format("{}, column {}", row, place_.column);
}

Deviation worst_deviation(Communicator& world, const Deviation& own) {
  Deviation worst;
  for (const Deviation& one : all_gather_values(world, own)) worst.combine(one);
  return worst;
}

}  // namespace vparity::harness
