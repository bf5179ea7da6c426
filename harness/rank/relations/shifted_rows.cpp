#include <algorithm>
#include <cmath>

#include "harness/case/storage.h"
#include "harness/rank/relations/operands_view.h"
#include "harness/rank/relations/relations.h"

namespace vparity::harness {
namespace {

/// A row's grid and the constant to be added to it: multiples of `unit` up to |constant| stay
/// representable when it is added.
struct Shift {
  double constant = 0;
  double unit = 0;  ///< 0: the row is left as it is
};

/// The constant is a power of two above every magnitude of the row, at least 1, negative in odd
/// rows. Where the storage type has no room for it, nothing is added.
Shift shift_of(double largest, std::int64_t row, DType dtype) {
  const int exponent = largest < 1 ? 0 : std::ilogb(largest) + 1;
  const double constant = std::ldexp(1.0, exponent);
  const reference::Format format = format_of(dtype);
  if (2 * constant > reference::largest_finite(format)) return {};
  return {row % 2 == 0 ? constant : -constant, 2 * reference::half_ulp(format, constant)};
}

/// Rows rounded to their grid and, if `shifted`, their constant added: exact in the storage type.
class ShiftableRows final : public OperandsView {
 public:
  ShiftableRows(const Operands& original, const Problem& problem, bool shifted)
      : OperandsView(original),
        vocab_(problem.vocab),
        dtype_(problem.logits_dtype),
        shifted_(shifted) {}

  Shift shift(std::int64_t row) const {
    double largest = 0;
    for (const float x : whole_row(original(), row, vocab_)) {
      if (std::isfinite(x)) largest = std::max(largest, std::abs(double{x}));
    }
    return shift_of(largest, row, dtype_);
  }

  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override {
    original().logits(row, begin, out);
    const auto [constant, unit] = shift(row);
    if (unit == 0) return;
    for (float& x : columns_below(vocab_, begin, out)) {
      if (!std::isfinite(x)) continue;
      x = static_cast<float>(std::nearbyint(x / unit) * unit + (shifted_ ? constant : 0));
    }
  }

 private:
  std::int64_t vocab_;
  DType dtype_;
  bool shifted_;
};

}  // namespace

std::optional<Relation> shifted_rows(const RelationSubject& subject) {
  const Options& options = subject.problem.options;
  if (options.softcap || options.z_loss != 0) return std::nullopt;
  const auto side = [&](bool shifted) {
    return std::make_shared<const ShiftableRows>(subject.operands, subject.problem, shifted);
  };
  const auto shifted = side(true);
  return Relation{.name = "shifted_rows",
                  .first = {side(false), subject.problem, subject.tp},
                  .second = {shifted, subject.problem, subject.tp},
                  .lse_shift = [shifted, tau = double{options.temperature}](std::int64_t row) {
                    return shifted->shift(row).constant / tau;
                  }};
}

}  // namespace vparity::harness
