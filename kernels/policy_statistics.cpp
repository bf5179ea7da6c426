#include "vparity/policy_statistics.h"

#include <algorithm>

#include "agreement.h"
#include "backward/row_gradients.h"
#include "call_checks.h"
#include "forward/forward_call.h"
#include "forward/global_results.h"
#include "forward/logit_gather.h"
#include "forward/partial_exchange.h"
#include "forward/reproducible_rows.h"
#include "forward/row_outputs.h"

namespace vparity {
namespace {

void resize(SavedStatistics& saved, std::int64_t rows, bool with_smoothing) {
  const auto count = static_cast<std::size_t>(rows);
  saved.row_max.resize(count);
  saved.sum_minus_one.resize(count);
  saved.entropy.resize(count);
  saved.valid_columns.resize(with_smoothing ? count : 0);
}

/// All rows of this DP rank, chunk by chunk.
LocalSums forward_chunks(const ForwardCall& call, const StatisticsViews& out,
                         SavedStatistics* saved) {
  const std::int64_t rows = call.logits.rows().rows;
  const bool in_one = call.options.chunk == 0 || call.options.chunk > rows;
  const std::int64_t chunk = in_one ? rows : call.options.chunk;
  LocalSums sums;
  if (call.options.mode == Mode::reproducible) {
    reproducible_rows(call, chunk, [&](RowRange range, const FullRows& full) {
      write_rows(call, range, full, out, saved, sums);
    });
    return sums;
  }
  for (std::int64_t first = 0; first < rows; first += chunk) {
    const RowRange range{first, std::min(chunk, rows - first)};
    const FullRows full = call.options.mode == Mode::gather ? gather_logits(call, range)
                                                            : exchange_partials(call, range);
    write_rows(call, range, full, out, saved, sums);
  }
  return sums;
}

}  // namespace

PolicyStatistics::PolicyStatistics(ProcessGroups groups, const ShardColumns& own,
                                   std::int64_t vocab, const Options& options)
    : groups_(groups), options_(options), split_(agree(groups, {options, own, vocab})) {}

GlobalResults PolicyStatistics::forward(const VocabShard& logits, const TokenIds& ids,
                                        const StatisticsViews& out, SavedStatistics* saved) {
  check_forward_views(logits, split_.shard(groups_.tp.rank()), ids, out);
  const ForwardCall call{groups_.tp, split_, options_, logits, ids};
  if (saved != nullptr) resize(*saved, logits.rows().rows, call.with_smoothing());

  DataParallelReport report{
      logits.rows().rows, first_bad_label(ids, split_.vocab(), options_.ignore_index), {}};
  // Labels are the same on every TP rank, so all ranks of the group skip its collectives alike.
  if (!report.bad_label) report.sums = forward_chunks(call, out, saved);
  const GlobalResults results = reduce(groups_.dp, report, split_.vocab());
  if (saved != nullptr) saved->global_valid_tokens = results.valid_tokens;
  return results;
}

void PolicyStatistics::backward(const VocabShard& logits, const TokenIds& ids,
                                const SavedStatistics& saved, const UpstreamGradients& upstream,
                                const MutableVocabShard& gradient) const {
  const ShardColumns& own = split_.shard(groups_.tp.rank());
  check_backward_views(logits, own, ids, saved, upstream, gradient, options_.label_smoothing > 0);
  const RowGradients work = row_gradients(ids, saved, upstream, own, options_);
  cpu::backward_rows(logits, transform_of(options_), work.rows, work.one_hots, gradient);
}

}  // namespace vparity
