#include "host/pipeline/logit_gather.h"

#include <cstring>
#include <numeric>

#include "host/pipeline/forward_call.h"

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
        rows_(rows.count),
        bytes_per_rank_(contributions(call, rows)),
        gathered_(buffers.gathered(total())) {
    call.tp.all_gather(own_rows(rows, buffers), gathered_, bytes_per_rank_);
  }

  /// The columns of one row of the chunk, a piece per rank.
  void find_row(std::int64_t row, std::vector<cpu::RowPiece>& pieces) const {
    pieces.clear();
    for (int rank = 0; rank < call_.split.tp(); ++rank) {
      const VocabShard shard = shard_of(rank);
      const auto columns = static_cast<std::size_t>(shard.columns().valid());
      if (columns > 0) pieces.push_back({shard.rows().row(row), columns});
    }
  }

  float target(std::int64_t row, std::int64_t id) const {
    const VocabShard owner = shard_of(call_.split.owner_of(id));
    return target_logit(owner, row, id - owner.columns().begin, call_.transform());
  }

 private:
  static std::vector<std::size_t> contributions(const ForwardCall& call, RowRange rows) {
    std::vector<std::size_t> bytes;
    for (int rank = 0; rank < call.split.tp(); ++rank) {
      bytes.push_back(static_cast<std::size_t>(rows.count) * row_bytes(call, rank));
    }
    return bytes;
  }

  /// The rows as one rank has sent them, without padding.
  VocabShard shard_of(int rank) const {
    const ShardColumns& columns = call_.split.shard(rank);
    const auto before = bytes_per_rank_.begin() + rank;
    const std::byte* const data =
        gathered_.data() + std::accumulate(bytes_per_rank_.begin(), before, std::size_t{0});
    return {{data, call_.logits.rows().dtype, rows_, columns.valid()},
            {columns.begin, columns.end, columns.valid()}};
  }

  std::size_t total() const {
    return std::accumulate(bytes_per_rank_.begin(), bytes_per_rank_.end(), std::size_t{0});
  }

  /// The caller's memory if the rows are contiguous there, else a copy.
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
  std::int64_t rows_;
  std::vector<std::size_t> bytes_per_rank_;
  std::span<std::byte> gathered_;
};

}  // namespace

FullRows gather_logits(const ForwardCall& call, RowRange rows, GatherBuffers& buffers) {
  const GatheredLogits gathered(call, rows, buffers);
  const DType dtype = call.logits.rows().dtype;
  std::vector<cpu::RowPiece> pieces;
  FullRows full;
  full.reserve(rows.count, call.ids.columns());
  for (std::int64_t row = 0; row < rows.count; ++row) {
    gathered.find_row(row, pieces);
    const Partial<RowSums> sums{
        cpu::forward_row(pieces, dtype, call.transform(), call.with_smoothing())};
    full.sums.push_back(merge(no_shards, sums, call.options.temperature));
    for (int k = 0; k < call.ids.columns(); ++k) {
      const std::int64_t id = call.ids(rows.first + row, k);
      full.targets.push_back(call.ignored(id) ? 0 : gathered.target(row, id));
    }
  }
  return full;
}

}  // namespace vparity
