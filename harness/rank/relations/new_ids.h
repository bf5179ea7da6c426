// Ids of columns that have got another number.
#pragma once

#include "harness/provider/provider.h"
#include "harness/rank/relations/operands_view.h"

namespace vparity::harness {

/// What an ignored id becomes where columns are renumbered: a number that no column has, so that no
/// other id becomes ignored.
inline constexpr std::int64_t ignored_id = -100;

/// Ids renumbered by `column_of`, ignored ones to `ignored_id`.
class NewIds : public OperandsView {
 public:
  NewIds(const Operands& original, std::int64_t ignore_index)
      : OperandsView(original), ignore_index_(ignore_index) {}

  std::int64_t id(std::int64_t row, int column) const final {
    const std::int64_t old = original().id(row, column);
    return old == ignore_index_ ? ignored_id : column_of(old);
  }

 private:
  virtual std::int64_t column_of(std::int64_t id) const = 0;

  std::int64_t ignore_index_;
};

/// The problem in which `ignored_id` is what is ignored.
inline Problem with_ignored_id(Problem problem) {
  problem.options.ignore_index = ignored_id;
  return problem;
}

}  // namespace vparity::harness
