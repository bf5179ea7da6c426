#include "forward/logit_gather.h"

#include <cstring>
#include <memory>
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

/// A buffer that is overwritten as a whole, hence not cleared first.
class Buffer {
 public:
  explicit Buffer(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size) {}

  std::byte* data() const { return bytes_.get(); }
  std::span<std::byte> span() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_;
};

/// The logits of all shards for the rows of one chunk.
class GatheredLogits {
 public:
  GatheredLogits(const ForwardCall& call, RowRange rows)
      : call_(call), bytes_per_rank_(contributions(call, rows)), gathered_(total()) {
    const Buffer own = own_rows(rows);
    call.tp.all_gather(own.span(), gathered_.span(), bytes_per_rank_);
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

  Buffer own_rows(RowRange rows) const {
    const int rank = call_.tp.rank();
    Buffer packed(bytes_per_rank_[static_cast<std::size_t>(rank)]);
    std::byte* end = packed.data();
    for (std::int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      end = append(end, call_.logits.rows().row(row), row_bytes(call_, rank));
    }
    return packed;
  }

  const ForwardCall& call_;
  std::vector<std::size_t> bytes_per_rank_;
  Buffer gathered_;
};

FullRowSums sums_of(const VocabShard& full_row, const ForwardCall& call) {
  Partial<cpu::RowSums> sums{};
  cpu::forward_rows(full_row, call.transform(), call.with_smoothing(), {&sums, 1});
  return merge({&sums, 1}, call.options.temperature);
}

}  // namespace

FullRows gather_logits(const ForwardCall& call, RowRange rows) {
  const GatheredLogits gathered(call, rows);
  const std::int64_t vocab = call.split.vocab();
  const DType dtype = call.logits.rows().dtype;
  const Buffer row_buffer(static_cast<std::size_t>(vocab) * size_of(dtype));
  const FullLogits full_row({row_buffer.data(), dtype, 1, vocab}, vocab);

  FullRows full;
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
