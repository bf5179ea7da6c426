#include "reference/global_results.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "reference/storage_format.h"

namespace vparity::reference {

static_assert(std::is_trivially_copyable_v<GlobalAccumulator>, "ranks exchange it as bytes");

namespace {

/// The value as the row's output: an infinity beyond the range of fp32.
Bounded as_output(const Bounded& term) {
  const double rounded = round_to(Format::fp32, term.value);
  return std::isinf(rounded) ? Bounded{rounded, 0} : term;
}

}  // namespace

void GlobalAccumulator::Sum::add(const Bounded& term) {
  if (!std::isfinite(term.value)) {
    exceptional += term.value;
    return;
  }
  finite.add(term.value);
  absolute += std::abs(term.value);
  bound += term.bound;
}

void GlobalAccumulator::Sum::combine(const Sum& other) {
  finite.add(other.finite.value);
  finite.compensation += other.finite.compensation;
  exceptional += other.exceptional;
  absolute += other.absolute;
  bound += other.bound;
}

Bounded GlobalAccumulator::Sum::over(std::int64_t count) const {
  if (exceptional != 0) return {exceptional, 0};
  const auto divisor = static_cast<double>(count);
  return {finite.total() / divisor, (bound + 0x1p-50 * absolute) / divisor};
}

void GlobalAccumulator::add(const RowStatistics& row) {
  if (!row.valid) return;
  ++valid_tokens_;
  if (row.kind == RowKind::degenerate) ++degenerate_rows_;
  loss_.add(as_output(row.loss));
  entropy_.add(as_output(row.entropy));
}

void GlobalAccumulator::combine(const GlobalAccumulator& other) {
  loss_.combine(other.loss_);
  entropy_.combine(other.entropy_);
  valid_tokens_ += other.valid_tokens_;
  degenerate_rows_ += other.degenerate_rows_;
}

Bounded GlobalAccumulator::loss_sum() const { return loss_.over(1); }

Bounded GlobalAccumulator::loss_mean() const {
  return loss_.over(std::max<std::int64_t>(valid_tokens_, 1));
}

Bounded GlobalAccumulator::entropy_mean() const {
  return entropy_.over(std::max<std::int64_t>(valid_tokens_, 1));
}

}  // namespace vparity::reference
