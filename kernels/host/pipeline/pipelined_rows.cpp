#include "host/pipeline/pipelined_rows.h"

#include <algorithm>

#include "host/pipeline/row_gradients.h"
#include "host/simd/fused_kernels.h"
#include "host/pipeline/partial_exchange.h"
#include "host/pipeline/row_outputs.h"

namespace vparity {
namespace {

/// The rows of one chunk after another: summed, exchanged and, while the next ones are summed,
/// differentiated.
class Pipeline {
 public:
  Pipeline(const FusedCall& call, std::int64_t chunk, cpu::KeptTerms& kept, LocalSums& sums)
      : call_(call),
        rows_(call.forward.logits.rows().rows),
        chunk_(std::min(chunk, rows_)),
        kept_(kept),
        sums_(sums),
        streamed_(cpu::worth_streaming(call.forward.logits, call.gradient)) {
    saved_.global_valid_tokens = call.global_valid_tokens;
    kept_.resize(chunk_, call.forward.logits.columns().valid());
  }

  void run() {
    RowRange before{0, 0};
    while (before.first + before.count < rows_) {
      const std::int64_t first = before.first + before.count;
      const RowRange next{first, std::min(chunk_, rows_ - first)};
      pass(next, before);
      exchange(next);
      before = next;
    }
    pass({rows_, 0}, before);
  }

 private:
  void pass(RowRange next, RowRange before) {
    const ForwardCall& forward = call_.forward;
    row_sums_.resize(static_cast<std::size_t>(next.count));
    cpu::forward_and_backward_rows(
        rows_of(forward.logits, next), forward.transform(), row_sums_,
        {rows_of(forward.logits, before), gradients_.rows, gradients_.one_hots,
         rows_of(call_.gradient, before), streamed_},
        kept_);
  }

  void exchange(RowRange range) {
    const VocabShard logits = rows_of(call_.forward.logits, range);
    const TokenIds ids = rows_of(call_.forward.ids, range);
    const Options& options = call_.forward.options;
    const ForwardCall part{call_.forward.tp, call_.forward.split, options, logits, ids};
    const RowRange all{0, range.count};
    resize(saved_, range.count, part.with_smoothing());
    write_rows(part, all, exchange_sums(part, all, row_sums_), rows_of(call_.out, range), &saved_,
               sums_);
    gradients_ =
        row_gradients(ids, saved_, rows_of(call_.upstream, range), logits.columns(), options);
  }

  const FusedCall& call_;
  std::int64_t rows_, chunk_;
  cpu::KeptTerms& kept_;
  LocalSums& sums_;
  bool streamed_;
  SavedStatistics saved_;  // of one chunk, as what follows
  std::vector<Partial<RowSums>> row_sums_;
  RowGradients gradients_;
};

}  // namespace

std::int64_t pipelined_chunk(const FusedCall& call) {
  const Options& options = call.forward.options;
  const bool more_than_terms =
      options.softcap || options.label_smoothing > 0 || call.upstream.entropy.present();
  if (options.mode != Mode::fast || more_than_terms) return 0;
  const std::int64_t row_bytes =
      call.forward.split.largest_width() * static_cast<std::int64_t>(sizeof(float));
  if (options.chunk == 0) return std::max<std::int64_t>(kept_terms_bytes / row_bytes, 1);
  const std::int64_t rows = std::min(options.chunk, call.forward.logits.rows().rows);
  return rows == 1 || rows * row_bytes <= most_kept_terms_bytes ? options.chunk : 0;
}

void pipelined_rows(const FusedCall& call, std::int64_t chunk, cpu::KeptTerms& kept,
                    LocalSums& sums) {
  Pipeline(call, chunk, kept, sums).run();
}

}  // namespace vparity
