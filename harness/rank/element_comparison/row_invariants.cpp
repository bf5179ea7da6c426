#include "harness/rank/element_comparison/row_invariants.h"

#include <algorithm>
#include <cmath>

namespace vparity::harness {

using reference::RowKind;

bool gradient_sums_to_zero(const reference::RowGradient& row) {
  return row.row.kind == RowKind::finite && !row.all_zero && !row.parameters.softcap &&
         row.parameters.z_loss * row.upstream.loss == 0;
}

Deviation gradient_row_sum(const ProcessGrid& grid, const std::vector<OwnGradientSum>& own) {
  std::vector<OwnGradientSum> all(own.size() * static_cast<std::size_t>(grid.tp().size()));
  grid.tp().all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
  Deviation worst;
  for (std::size_t i = 0; i < own.size(); ++i) {
    GradientSum whole;
    for (std::size_t shard = i; shard < all.size(); shard += own.size()) {
      whole.value += all[shard].sum.value;
      whole.bound += all[shard].sum.bound;
    }
    if (std::isinf(whole.bound)) continue;  // an element beyond its type's range
    worst.add(std::abs(whole.value), whole.bound, Output::grad_logits, {own[i].row, -1, 0});
  }
  return worst;
}

void RowSum::add(float value) {
  ++rows_;
  value_ += value;
  bound_ += reference::half_ulp(reference::Format::fp32, value) + 0x1p-50 * std::abs(value);
}

void RowSum::combine(const RowSum& other) {
  rows_ += other.rows_;
  value_ += other.value_;
  bound_ += other.bound_;
}

void add_entropy_range(Deviation& worst, double entropy, const reference::RowStatistics& expected,
                       const Place& place) {
  if (expected.kind != RowKind::finite) return;
  const double above = entropy - std::log(static_cast<double>(expected.valid_columns));
  const double outside = std::isnan(entropy) ? entropy : std::max({-entropy, above, 0.0});
  worst.add(outside, expected.entropy.bound, Output::entropy, place);
}

}  // namespace vparity::harness
