#include "host/pipeline/pipelined_rows.h"

#include <algorithm>

#include "host/pipeline/partial_exchange.h"
#include "host/pipeline/row_gradients.h"
#include "host/pipeline/row_outputs.h"
#include "host/simd/fused_kernels.h"

namespace vparity {
namespace {

/// One chunk of rows after another: summed, exchanged and, in the pass that sums the next chunk,
/// differentiated.
class Pipeline {
 public:
  Pipeline(const FusedCall& call, std::int64_t chunk, cpu::Exponentials& exponentials,
           LocalSums& sums)
      : call_(call),
        rows_(call.forward.logits.rows().rows),
        chunk_(std::min(chunk, rows_)),
        exponentials_(exponentials),
        sums_(sums),
        streamed_(cpu::worth_streaming(call.forward.logits, call.gradient)) {
    saved_.global_valid_tokens = call.global_valid_tokens;
    exponentials_.resize(chunk_, call.forward.logits.columns().valid());
  }

  void run() {
    RowRange previous{0, 0};
    while (previous.first + previous.count < rows_) {
      const std::int64_t first = previous.first + previous.count;
      const RowRange next{first, std::min(chunk_, rows_ - first)};
      pass(next, previous);
      exchange(next);
      previous = next;
    }
    pass({rows_, 0}, previous);
  }

 private:
  void pass(RowRange next, RowRange previous) {
    const ForwardCall& forward = call_.forward;
    row_sums_.resize(static_cast<std::size_t>(next.count));
    cpu::forward_and_backward_rows(
        rows_of(forward.logits, next), forward.transform(), row_sums_,
        {rows_of(forward.logits, previous), gradients_.rows, gradients_.one_hots,
         rows_of(call_.gradient, previous), streamed_},
        exponentials_);
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
  cpu::Exponentials& exponentials_;
  LocalSums& sums_;
  bool streamed_;
  SavedStatistics saved_;  // of one chunk, as the next two
  std::vector<Partial<RowSums>> row_sums_;
  RowGradients gradients_;
};

}  // namespace

std::int64_t pipelined_chunk(const FusedCall& call) {
  const Options& options = call.forward.options;
  const bool needs_logits_again =
      options.softcap || options.label_smoothing > 0 || call.upstream.entropy.present();
  if (options.mode != Mode::fast || needs_logits_again) return 0;
  const std::int64_t row_bytes =
      call.forward.split.largest_width() * static_cast<std::int64_t>(sizeof(float));
  if (options.chunk == 0) return std::max<std::int64_t>(exponentials_bytes / row_bytes, 1);
  const std::int64_t rows = std::min(options.chunk, call.forward.logits.rows().rows);
  return rows == 1 || rows * row_bytes <= max_exponentials_bytes ? options.chunk : 0;
}

void pipelined_rows(const FusedCall& call, std::int64_t chunk, cpu::Exponentials& exponentials,
                    LocalSums& sums) {
  Pipeline(call, chunk, exponentials, sums).run();
}

}  // namespace vparity
