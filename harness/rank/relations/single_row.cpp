#include "harness/rank/relations/chosen_rows.h"
#include "harness/rank/relations/relations.h"

namespace vparity::harness {
namespace {

/// The first row from the middle on that is not ignored, the middle one if all are.
std::int64_t telling_row(const RelationSubject& subject, std::int64_t rows) {
  for (std::int64_t row = rows / 2; row < rows; ++row) {
    if (subject.operands.id(row, 0) != subject.problem.options.ignore_index) return row;
  }
  return rows / 2;
}

}  // namespace

std::optional<Relation> single_row(const RelationSubject& subject) {
  const std::int64_t rows = subject.operands.all_rows();
  if (rows < 2) return std::nullopt;
  // A mean divides by a count of rows that a single row does not have.
  Side first = subject.side();
  first.problem.options.reduction = Reduction::sum;
  const std::int64_t row = telling_row(subject, rows);
  std::vector<std::int64_t> dp_rows(subject.operands.dp_rows().size(), 0);
  dp_rows.front() = 1;
  const Side second{
      std::make_shared<const ChosenRows>(subject.operands, std::vector{row}, std::move(dp_rows)),
      first.problem, subject.tp};
  return Relation{.name = "single_row",
                  .first = first,
                  .second = second,
                  .first_is_subject = subject.problem.options.reduction == Reduction::sum,
                  .same_bits = subject.problem.options.mode != Mode::fast,
                  .first_row = row};
}

}  // namespace vparity::harness
