#include "harness/rank/check/run_comparison.h"

#include <cmath>
#include <limits>

namespace vparity::harness {
namespace {

/// 0 for the same value, any two NaN included; an infinity where the difference is no number.
double difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double distance = std::abs(a - b);
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

/// Not 0 for zeros of different signs either.
double bit_difference(float a, float b) {
  const bool zeros = a == 0 && b == 0 && std::signbit(a) != std::signbit(b);
  return zeros ? std::numeric_limits<double>::denorm_min() : difference(a, b);
}

/// Compares a row of the second run with its counterpart.
void compare_rows(Deviation& worst, const Relation& relation, std::int64_t row, WholeRun& first,
                  WholeRun& second) {
  const std::int64_t first_row = relation.first_row + row;
  const auto& values = first.values(first_row);
  const auto& others = second.values(row);
  const RowOrder order(relation.first.problem.id_columns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t j = i;
    if (i >= order.gradient()) {
      const std::int64_t column = relation.column(order.column(i));
      if (column < 0) continue;
      j = order.gradient() + static_cast<std::size_t>(column);
    }
    const Place place{first_row, order.column(i), 0};
    if (relation.same_bits) {
      worst.add(bit_difference(values[i], others[j]), 0, order.output(i), place);
      continue;
    }
    const double bound = first.bounds(first_row)[i] + second.bounds(row)[j];
    if (std::isinf(bound)) continue;
    const double shift = i == order.lse() ? relation.lse_shift(row) : 0;
    worst.add(difference(values[i] + shift, others[j]), bound, order.output(i), place);
  }
}

}  // namespace

Deviation compare_runs(const Relation& relation, WholeRun& first, WholeRun& second) {
  Communicator& world = first.run().grid().world();
  Deviation worst;
  for (std::int64_t row = world.rank(); row < second.rows(); row += world.size())
    compare_rows(worst, relation, row, first, second);
  return worst_deviation(world, worst);
}

}  // namespace vparity::harness
