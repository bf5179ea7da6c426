#include "harness/provider/job_totals.h"

#include <algorithm>

#include "vparity/errors.h"

namespace vparity::harness {

GlobalResults job_results(std::span<const RankTotals> dp_ranks) {
  GlobalResults results;
  double entropy_sum = 0;
  for (const RankTotals& rank : dp_ranks) {
    results.loss_sum += rank.loss;
    entropy_sum += rank.entropy;
    results.valid_tokens += rank.valid_tokens;
    results.degenerate_rows += rank.degenerate_rows;
  }
  const auto count = static_cast<double>(std::max<std::int64_t>(results.valid_tokens, 1));
  results.loss_mean = results.loss_sum / count;
  results.entropy_mean = entropy_sum / count;
  return results;
}

BadId first_bad_id(const TokenIds& ids, std::int64_t vocab, std::int64_t ignore_index) {
  for (std::int64_t t = 0; t < ids.rows(); ++t) {
    for (int k = 0; k < ids.columns(); ++k) {
      const std::int64_t id = ids(t, k);
      if (id != ignore_index && (id < 0 || id >= vocab)) return {ids.rows(), t, k, id};
    }
  }
  return {.rows = ids.rows()};
}

void refuse_bad_ids(std::span<const BadId> dp_ranks, std::int64_t vocab) {
  std::int64_t rows_before = 0;
  for (const BadId& bad : dp_ranks) {
    if (bad.found()) throw LabelError(rows_before + bad.row, bad.column, bad.id, vocab);
    rows_before += bad.rows;
  }
}

}  // namespace vparity::harness
