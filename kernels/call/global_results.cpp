#include "call/global_results.h"

#include <algorithm>
#include <type_traits>

#include "vparity/errors.h"

namespace vparity {
namespace {

static_assert(std::is_trivially_copyable_v<DataParallelReport>);  // it travels as bytes

void throw_first_bad_label(const std::vector<DataParallelReport>& reports, std::int64_t vocab) {
  std::int64_t rows_before = 0;
  for (const DataParallelReport& report : reports) {
    if (report.bad_label) {
      const BadLabel& bad = *report.bad_label;
      throw LabelError(rows_before + bad.row, bad.column, bad.label, vocab);
    }
    rows_before += report.rows;
  }
}

}  // namespace

std::optional<BadLabel> first_bad_label(const TokenIds& ids, std::int64_t vocab,
                                        std::int64_t ignore_index) {
  for (std::int64_t row = 0; row < ids.rows(); ++row) {
    for (int k = 0; k < ids.columns(); ++k) {
      const std::int64_t id = ids(row, k);
      if (id != ignore_index && (id < 0 || id >= vocab)) return BadLabel{row, k, id};
    }
  }
  return std::nullopt;
}

GlobalResults reduce(Communicator& dp, const DataParallelReport& own, std::int64_t vocab) {
  const std::vector<DataParallelReport> reports = all_gather_values(dp, own);
  throw_first_bad_label(reports, vocab);
  GlobalResults results;
  double entropy_sum = 0;
  for (const DataParallelReport& report : reports) {
    results.loss_sum += report.sums.loss;
    entropy_sum += report.sums.entropy;
    results.valid_tokens += report.sums.valid_tokens;
    results.degenerate_rows += report.sums.degenerate_rows;
  }
  const auto count = static_cast<double>(std::max<std::int64_t>(results.valid_tokens, 1));
  results.loss_mean = results.loss_sum / count;
  results.entropy_mean = entropy_sum / count;
  return results;
}

}  // namespace vparity
