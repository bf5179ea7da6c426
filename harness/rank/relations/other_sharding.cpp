#include <algorithm>
#include <numeric>

#include "harness/rank/relations/chosen_rows.h"
#include "harness/rank/relations/relations.h"

namespace vparity::harness {
namespace {

Relation resharded(std::string_view name, const RelationSubject& subject, Side second) {
  return {.name = name,
          .first = subject.side(),
          .second = std::move(second),
          .first_is_subject = true,
          .same_bits = subject.problem.options.mode != Mode::fast};
}

/// The same rows, as evenly as possible over another number of DP ranks.
std::shared_ptr<const Operands> dealt(const Operands& operands, int dp) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(operands.all_rows())), dp_rows;
  std::iota(rows.begin(), rows.end(), 0);
  for (int rank = 0; rank < dp; ++rank) dp_rows.push_back((std::ssize(rows) + rank) / dp);
  return std::make_shared<const ChosenRows>(operands, std::move(rows), std::move(dp_rows));
}

int smallest_prime_factor(int number) {
  int factor = 2;
  while (number % factor != 0) ++factor;
  return factor;
}

}  // namespace

std::optional<Relation> other_tp(const RelationSubject& subject) {
  if (subject.world == 1) return std::nullopt;
  const int tp = subject.tp > 1 ? subject.tp / smallest_prime_factor(subject.tp)
                                : smallest_prime_factor(subject.world);
  return resharded("other_tp", subject,
                   {dealt(subject.operands, subject.world / tp), subject.problem, tp});
}

std::optional<Relation> other_layout(const RelationSubject& subject) {
  Side second = subject.side();
  Layout& layout = second.problem.layout;
  layout = layout == Layout::padded ? Layout::balanced : Layout::padded;
  return resharded("other_layout", subject, std::move(second));
}

std::optional<Relation> other_chunk(const RelationSubject& subject) {
  const std::int64_t most = std::ranges::max(subject.operands.dp_rows());
  if (most < 2) return std::nullopt;  // one row is one chunk
  Side second = subject.side();
  std::int64_t& chunk = second.problem.options.chunk;
  chunk = chunk == 0 ? (most + 1) / 2 : 0;
  return resharded("other_chunk", subject, std::move(second));
}

}  // namespace vparity::harness
