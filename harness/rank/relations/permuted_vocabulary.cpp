#include "harness/case/inputs/column_permutation.h"
#include "harness/rank/relations/new_ids.h"
#include "harness/rank/relations/relations.h"

namespace vparity::harness {
namespace {

/// Column v stands at place order.rank(v).
class PermutedVocabulary final : public NewIds {
 public:
  PermutedVocabulary(const RelationSubject& subject, const ColumnPermutation& order)
      : NewIds(subject.operands, subject.problem.options.ignore_index),
        vocab_(subject.problem.vocab),
        order_(order) {}

  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override {
    original().logits(row, begin, out);  // for the padding
    const std::vector<float> whole = whole_row(original(), row, vocab_);
    std::int64_t place = begin;
    for (float& x : columns_below(vocab_, begin, out))
      x = whole[static_cast<std::size_t>(order_.column(place++))];
  }

 private:
  std::int64_t column_of(std::int64_t id) const override { return order_.rank(id); }

  std::int64_t vocab_;
  ColumnPermutation order_;
};

}  // namespace

std::optional<Relation> permuted_vocabulary(const RelationSubject& subject) {
  const std::int64_t vocab = subject.problem.vocab;
  if (vocab == 1) return std::nullopt;
  const ColumnPermutation order(vocab, {{0x9E3779B9U, 0x7F4A7C15U}});  // any two words
  return Relation{.name = "permuted_vocabulary",
                  .first = subject.side(),
                  .second = {std::make_shared<const PermutedVocabulary>(subject, order),
                             with_ignored_id(subject.problem), subject.tp},
                  .first_is_subject = true,
                  .same_bits = subject.problem.options.mode == Mode::reproducible,
                  .column = [order](std::int64_t v) { return order.rank(v); }};
}

}  // namespace vparity::harness
