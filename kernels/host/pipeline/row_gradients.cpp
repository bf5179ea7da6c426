#include "host/pipeline/row_gradients.h"

namespace vparity {
namespace {

SavedRow row_of(const SavedStatistics& saved, std::int64_t row) {
  const auto t = static_cast<std::size_t>(row);
  return {saved.row_max[t], saved.sum_minus_one[t], saved.entropy[t],
          saved.valid_columns.empty() ? 0 : saved.valid_columns[t]};
}

/// Adds the targets of a row that this shard owns.
void add_one_hots(const RowUpstream<TokenIds>& upstream, const TokenIds& ids, std::int64_t row,
                  const ShardColumns& own, float label_smoothing, std::vector<OneHot>& one_hots) {
  for (int k = 0; k < ids.columns(); ++k) {
    const std::int64_t id = ids(row, k);
    if (upstream.ignored(k) || !own.owns(id) || !upstream.first_of_its_id(k)) continue;
    one_hots.push_back({row, id - own.begin, upstream.one_hot_weight(k, label_smoothing)});
  }
}

}  // namespace

RowGradients row_gradients(const TokenIds& ids, const SavedStatistics& saved,
                           const UpstreamGradients& upstream, const ShardColumns& own,
                           const Options& options) {
  RowGradients result;
  result.rows.reserve(static_cast<std::size_t>(ids.rows()));
  result.one_hots.reserve(static_cast<std::size_t>(ids.rows() * ids.columns()));
  for (std::int64_t row = 0; row < ids.rows(); ++row) {
    const RowUpstream of_row(ids, upstream, row, options, saved.global_valid_tokens);
    result.rows.push_back(row_gradient(of_row, ids.columns(), row_of(saved, row), options));
    if (result.rows.back().kind == RowGradient::Kind::formula)
      add_one_hots(of_row, ids, row, own, options.label_smoothing, result.one_hots);
  }
  return result;
}

}  // namespace vparity
