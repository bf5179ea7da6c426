#include "forward/logit_gather.h"

#include <cstring>
#include <numeric>

#include "forward/target_logits.h"

namespace vparity {
namespace {

std::size_t row_bytes(const ForwardCall& call, int rank) {
  return static_cast<std::size_t>(call.split.shard(rank).valid()) *
         size_of(call.logits.rows().dtype);
}

std::byte* append(std::byte* end, const std::byte* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(end, from, bytes);
  return end + bytes;
}

/// The logits of all shards for the rows of one chunk.
class GatheredLogits {
 public:
  GatheredLogits(const ForwardCall& call, RowRange rows, GatherBuffers& buffers)
      : call_(call),
        bytes_per_rank_(contributions(call, rows)),
        gathered_(buffers.gathered(total())) {
    call.tp.all_gather(own_rows(rows, buffers), gathered_, bytes_per_rank_);
  }

  /// Writes all V columns of one row of the chunk.
  void assemble(std::int64_t row, std::byte* full_row) const {
    const std::byte* shard = gathered_.data();
    for (int rank = 0; rank < call_.split.tp(); ++rank) {
      const std::size_t bytes = row_bytes(call_, rank);
      full_row = append(full_row, shard + static_cast<std::size_t>(row) * bytes, bytes);
      shard += bytes_per_rank_[static_cast<std::size_t>(rank)];
    }
  }

 private:
  static std::vector<std::size_t> contributions(const ForwardCall& call, RowRange rows) {
    std::vector<std::size_t> bytes;
    for (int rank = 0; rank < call.split.tp(); ++rank) {
      bytes.push_back(static_cast<std::size_t>(rows.count) * row_bytes(call, rank));
    }
    return bytes;
  }

  std::size_t total() const {
    return std::accumulate(bytes_per_rank_.begin(), bytes_per_rank_.end(), std::size_t{0});
  }

  /// Where the caller has them if they lie there without gaps, else copied.
  std::span<const std::byte> own_rows(RowRange rows, GatherBuffers& buffers) const {
    const Rows& logits = call_.logits.rows();
    const std::size_t bytes = row_bytes(call_, call_.tp.rank());
    const std::size_t all = static_cast<std::size_t>(rows.count) * bytes;
    const auto stride = static_cast<std::size_t>(logits.row_stride) * size_of(logits.dtype);
    if (rows.count == 1 || stride == bytes) return {logits.row(rows.first), all};
    const std::span<std::byte> packed = buffers.own(all);
    std::byte* end = packed.data();
    for (std::int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      end = append(end, logits.row(row), bytes);
    }
    return packed;
  }

  const ForwardCall& call_;
  std::vector<std::size_t> bytes_per_rank_;
  std::span<std::byte> gathered_;
};

FullRowSums sums_of(const VocabShard& full_row, const ForwardCall& call) {
  Partial<cpu::RowSums> sums{};
  cpu::forward_rows(full_row, call.transform(), call.with_smoothing(), {&sums, 1});
  return merge({&sums, 1}, call.options.temperature);
}

}  // namespace

FullRows gather_logits(const ForwardCall& call, RowRange rows, GatherBuffers& buffers) {
  const GatheredLogits gathered(call, rows, buffers);
  const std::int64_t vocab = call.split.vocab();
  const DType dtype = call.logits.rows().dtype;
  const std::span<std::byte> row_buffer =
      buffers.row(static_cast<std::size_t>(vocab) * size_of(dtype));
  const FullLogits full_row({row_buffer.data(), dtype, 1, vocab}, vocab);

  FullRows full;
  full.reserve(rows.count, call.ids.columns());
  for (std::int64_t row = 0; row < rows.count; ++row) {
    gathered.assemble(row, row_buffer.data());
    full.sums.push_back(sums_of(full_row.as_only_shard(), call));
    for (int k = 0; k < call.ids.columns(); ++k) {
      const std::int64_t id = call.ids(rows.first + row, k);
      full.targets.push_back(
          call.ignored(id) ? 0 : target_logit(full_row.as_only_shard(), 0, id, call.transform()));
    }
  }
  return full;
}

}  // namespace vparity
