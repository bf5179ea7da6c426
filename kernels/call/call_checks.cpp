#include "call/call_checks.h"

#include <fmt/format.h>

#include <string_view>

#include "vparity/errors.h"

namespace vparity {
namespace {

template <class Byte>
void check_shard(std::string_view name, const BasicVocabShard<Byte>& shard,
                 const ShardColumns& own) {
  const ShardColumns& columns = shard.columns();
  if (columns != own) {
    throw ArgumentError(fmt::format(
        "{} has columns [{}, {}) in a width of {}, but this rank's shard is [{}, {}) in {}", name,
        columns.begin, columns.end, columns.width, own.begin, own.end, own.width));
  }
  if (shard.rows().data == nullptr && shard.rows().rows > 0 && columns.width > 0) {
    throw ArgumentError(fmt::format("{} has no data", name));
  }
}

void check_ids(const TokenIds& ids, std::int64_t rows) {
  if (ids.rows() != rows || ids.columns() < 1) {
    throw ArgumentError(
        fmt::format("ids are [{}, {}], but the logits have {} rows (expected [{}, "
                    "K] with K >= 1)",
                    ids.rows(), ids.columns(), rows, rows));
  }
}

template <class T>
void check_view(std::string_view name, const Replicated<T>& view, std::int64_t rows,
                std::int64_t columns = 1) {
  if (!view.present() || (view.rows() == rows && view.columns() == columns)) return;
  throw ArgumentError(fmt::format("{} is [{}, {}], expected [{}, {}]", name, view.rows(),
                                  view.columns(), rows, columns));
}

void check_saved_part(std::string_view name, const std::vector<float>& saved, std::int64_t rows) {
  if (saved.size() == static_cast<std::size_t>(rows)) return;
  throw ArgumentError(
      fmt::format("saved {} has {} rows, the logits have {}: it must come from the "
                  "forward call with the same logits",
                  name, saved.size(), rows));
}

void check_gradient_type(const VocabShard& logits, const MutableVocabShard& gradient) {
  const DType from = logits.rows().dtype;
  const DType to = gradient.rows().dtype;
  if (to != from && to != DType::fp32) {
    throw ArgumentError(fmt::format("gradient is {}, expected the logits' type {} or fp32",
                                    name_of(to), name_of(from)));
  }
}

/// Logits and gradient in the same memory are the in-place form, which needs the same element type
/// and stride.
void check_in_place(const Rows& logits, const MutableRows& gradient) {
  const bool same_memory = gradient.data != nullptr && gradient.data == logits.data;
  const bool same_stride = gradient.row_stride == logits.row_stride || logits.rows < 2;
  if (!same_memory || (same_stride && gradient.dtype == logits.dtype)) return;
  throw ArgumentError("gradient is in place of the logits, but differs in type or row_stride");
}

}  // namespace

void check_forward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                         const StatisticsViews& out) {
  const std::int64_t rows = logits.rows().rows;
  check_shard("logits", logits, own);
  check_ids(ids, rows);
  check_view("logprob", out.logprob, rows, ids.columns());
  check_view("entropy", out.entropy, rows);
  check_view("lse", out.lse, rows);
  check_view("loss", out.loss, rows);
}

void check_backward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                          const UpstreamGradients& upstream, const MutableVocabShard& gradient) {
  const std::int64_t rows = logits.rows().rows;
  check_shard("logits", logits, own);
  check_shard("gradient", gradient, own);
  if (gradient.rows().rows != rows) {
    throw ArgumentError(
        fmt::format("gradient has {} rows, the logits have {}", gradient.rows().rows, rows));
  }
  check_gradient_type(logits, gradient);
  check_in_place(logits.rows(), gradient.rows());
  check_ids(ids, rows);
  check_view("upstream logprob", upstream.logprob, rows, ids.columns());
  check_view("upstream entropy", upstream.entropy, rows);
  check_view("upstream loss", upstream.loss, rows);
}

void check_saved(const SavedStatistics& saved, std::int64_t rows, bool with_smoothing) {
  check_saved_part("row_max", saved.row_max, rows);
  check_saved_part("sum_minus_one", saved.sum_minus_one, rows);
  check_saved_part("entropy", saved.entropy, rows);
  if (with_smoothing) check_saved_part("valid_columns", saved.valid_columns, rows);
}

}  // namespace vparity
