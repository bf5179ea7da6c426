#include "vparity/policy_statistics.h"

#include <algorithm>
#include <functional>

#include "call/agreement.h"
#include "call/call_checks.h"
#include "call/global_results.h"
#include "host/pipeline/forward_call.h"
#include "host/pipeline/logit_gather.h"
#include "host/pipeline/partial_exchange.h"
#include "host/pipeline/pipelined_rows.h"
#include "host/pipeline/reproducible_rows.h"
#include "host/pipeline/row_gradients.h"
#include "host/pipeline/row_outputs.h"

namespace vparity {
namespace {

using Examine = std::function<void(RowRange, const FullRows&)>;

/// All rows of this DP rank. `examine` is called with the chunks in order, while the logits of a
/// small chunk are still in a cache.
void forward_chunks(const ForwardCall& call, std::int64_t chunk, GatherBuffers& buffers,
                    const Examine& examine) {
  const std::int64_t rows = call.logits.rows().rows;
  if (chunk == 0 || chunk > rows) chunk = rows;
  if (call.options.mode == Mode::reproducible) return reproducible_rows(call, chunk, examine);
  for (std::int64_t first = 0; first < rows; first += chunk) {
    const RowRange range{first, std::min(chunk, rows - first)};
    examine(range, call.options.mode == Mode::gather ? gather_logits(call, range, buffers)
                                                     : exchange_partials(call, range));
  }
}

/// Rows of `fused_chunk_bytes` on the rank with the widest shard: all ranks have to make equally
/// many chunks.
std::int64_t rows_in_cache(const VocabularySplit& split, DType dtype) {
  const auto bytes = split.largest_width() * static_cast<std::int64_t>(size_of(dtype));
  return std::max<std::int64_t>(fused_chunk_bytes / bytes, 1);
}

std::int64_t count_valid(const TokenIds& ids, std::int64_t ignore_index) {
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < ids.rows(); ++row) count += ids(row, 0) != ignore_index ? 1 : 0;
  return count;
}

void backward_rows(const VocabShard& logits, const TokenIds& ids, const SavedStatistics& saved,
                   const UpstreamGradients& upstream, const Options& options,
                   const MutableVocabShard& gradient, bool streamed) {
  const RowGradients work = row_gradients(ids, saved, upstream, logits.columns(), options);
  cpu::backward_rows(logits, transform_of(options), work.rows, work.one_hots, gradient, streamed);
}

}  // namespace

struct PolicyStatistics::Workspace {
  GatherBuffers gather;            ///< of mode gather
  cpu::Exponentials exponentials;  ///< of the fused call in mode fast
};

PolicyStatistics::PolicyStatistics(ProcessGroups groups, const ShardColumns& own,
                                   std::int64_t vocab, const Options& options)
    : groups_(groups),
      options_(options),
      split_(agree(groups, {options, own, vocab})),
      workspace_(std::make_shared<Workspace>()) {}

GlobalResults PolicyStatistics::forward(const VocabShard& logits, const TokenIds& ids,
                                        const StatisticsViews& out, SavedStatistics* saved) {
  check_forward_views(logits, split_.shard(groups_.tp.rank()), ids, out);
  const ForwardCall call{groups_.tp, split_, options_, logits, ids};
  if (saved != nullptr) resize(*saved, logits.rows().rows, call.with_smoothing());

  DataParallelReport report{
      logits.rows().rows, first_bad_label(ids, split_.vocab(), options_.ignore_index), {}};
  // Labels are the same on every TP rank, so all ranks of the group skip its collectives together.
  if (!report.bad_label) {
    forward_chunks(call, options_.chunk, workspace_->gather,
                   [&](RowRange range, const FullRows& full) {
                     write_rows(call, range, full, out, saved, report.sums);
                   });
  }
  const GlobalResults results = reduce(groups_.dp, report, split_.vocab());
  if (saved != nullptr) saved->global_valid_tokens = results.valid_tokens;
  return results;
}

void PolicyStatistics::backward(const VocabShard& logits, const TokenIds& ids,
                                const SavedStatistics& saved, const UpstreamGradients& upstream,
                                const MutableVocabShard& gradient) const {
  const ShardColumns& own = split_.shard(groups_.tp.rank());
  check_saved(saved, logits.rows().rows, options_.label_smoothing > 0);
  check_backward_views(logits, own, ids, upstream, gradient);
  backward_rows(logits, ids, saved, upstream, options_, gradient,
                cpu::worth_streaming(logits, gradient));
}

GlobalResults PolicyStatistics::forward_backward(const VocabShard& logits, const TokenIds& ids,
                                                 const UpstreamGradients& upstream,
                                                 const StatisticsViews& out,
                                                 const MutableVocabShard& gradient) {
  const ShardColumns& own = split_.shard(groups_.tp.rank());
  check_forward_views(logits, own, ids, out);
  check_backward_views(logits, own, ids, upstream, gradient);
  DataParallelReport report{
      logits.rows().rows, first_bad_label(ids, split_.vocab(), options_.ignore_index), {}};
  report.sums.valid_tokens = count_valid(ids, options_.ignore_index);
  SavedStatistics saved;  // of one chunk
  saved.global_valid_tokens = reduce(groups_.dp, report, split_.vocab()).valid_tokens;

  report.sums = {};
  const ForwardCall call{groups_.tp, split_, options_, logits, ids};
  const FusedCall fused{call, upstream, out, gradient, saved.global_valid_tokens};
  if (const std::int64_t chunk = pipelined_chunk(fused); chunk > 0) {
    pipelined_rows(fused, chunk, workspace_->exponentials, report.sums);
    return reduce(groups_.dp, report, split_.vocab());
  }
  const std::int64_t cached = rows_in_cache(split_, logits.rows().dtype);
  const bool streamed = cpu::worth_streaming(logits, gradient);
  forward_chunks(
      call, options_.chunk == 0 ? cached : options_.chunk, workspace_->gather,
      [&](RowRange range, const FullRows& full) {
        const VocabShard some = rows_of(logits, range);
        const TokenIds their_ids = rows_of(ids, range);
        const ForwardCall part{groups_.tp, split_, options_, some, their_ids};
        resize(saved, range.count, call.with_smoothing());
        write_rows(part, {0, range.count}, full, rows_of(out, range), &saved, report.sums);
        backward_rows(some, their_ids, saved, rows_of(upstream, range), options_,
                      rows_of(gradient, range), streamed);
      });
  return reduce(groups_.dp, report, split_.vocab());
}

}  // namespace vparity
