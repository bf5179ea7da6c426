#include <limits>

#include "harness/rank/relations/new_ids.h"
#include "harness/rank/relations/relations.h"

namespace vparity::harness {
namespace {

/// Columns 2, 7, 12, ... are taken out; ids of theirs move one down.
constexpr std::int64_t period = 5;
constexpr bool is_out(std::int64_t column) { return column % period == 2; }
constexpr std::int64_t count_below(std::int64_t column) { return (column + 2) / period; }
constexpr std::int64_t target_of(std::int64_t id) { return is_out(id) ? id - 1 : id; }

/// Where column v stands when the others are out.
constexpr std::int64_t place_of(std::int64_t v) { return is_out(v) ? -1 : v - count_below(v); }

class MaskedColumns final : public NewIds {
 public:
  explicit MaskedColumns(const RelationSubject& subject)
      : NewIds(subject.operands, subject.problem.options.ignore_index),
        vocab_(subject.problem.vocab) {}

  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override {
    original().logits(row, begin, out);
    std::int64_t column = begin;
    for (float& x : columns_below(vocab_, begin, out))
      if (is_out(column++)) x = -std::numeric_limits<float>::infinity();
  }

 private:
  std::int64_t column_of(std::int64_t id) const override { return target_of(id); }

  std::int64_t vocab_;
};

class DeletedColumns final : public NewIds {
 public:
  explicit DeletedColumns(const RelationSubject& subject)
      : NewIds(subject.operands, subject.problem.options.ignore_index) {}

  /// Padding is that of the original, behind its last column.
  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override {
    const std::int64_t first = column_at(begin);
    std::vector<float> columns(
        static_cast<std::size_t>(column_at(begin + std::ssize(out)) - first));
    original().logits(row, first, columns);
    auto kept = out.begin();
    for (std::int64_t column = first; kept != out.end(); ++column) {
      if (!is_out(column)) *kept++ = columns[static_cast<std::size_t>(column - first)];
    }
  }

 private:
  /// The inverse of place_of.
  static std::int64_t column_at(std::int64_t place) { return place + (place + 2) / (period - 1); }
  std::int64_t column_of(std::int64_t id) const override { return place_of(target_of(id)); }
};

}  // namespace

std::optional<Relation> deleted_columns(const RelationSubject& subject) {
  const std::int64_t vocab = subject.problem.vocab;
  if (count_below(vocab) == 0) return std::nullopt;
  const Problem masked = with_ignored_id(subject.problem);
  Problem deleted = masked;
  deleted.vocab -= count_below(vocab);
  return Relation{.name = "deleted_columns",
                  .first = {std::make_shared<const MaskedColumns>(subject), masked, subject.tp},
                  .second = {std::make_shared<const DeletedColumns>(subject), deleted, subject.tp},
                  .same_bits = subject.problem.options.mode == Mode::reproducible,
                  .column = place_of};
}

}  // namespace vparity::harness
