#include "device/pipeline/logit_gather.h"

#include <numeric>
#include <vector>

#include "device/pipeline/partial_exchange.h"

namespace vparity::cuda {
namespace {

/// The caller's memory if the rows are contiguous there, else a copy.
const std::byte* own_rows(const ForwardCall& call, const VocabShard& logits) {
  const Rows& rows = logits.rows();
  const std::int64_t valid = logits.columns().valid();
  if (rows.rows == 1 || rows.row_stride == valid) return rows.data;
  auto* const packed =
      call.buffers.packed_logits.resize<std::byte>(count(rows.rows * valid) * size_of(rows.dtype));
  call.kernels.copy_rows({rows.data, rows.row_stride, packed, valid, rows.dtype, rows.rows, valid});
  return packed;
}

/// The rows of all ranks without padding, one rank after another.
const std::byte* gathered_shards(const ForwardCall& call, RowRange rows) {
  std::vector<std::size_t> sizes;
  for (int rank = 0; rank < call.ranks(); ++rank) {
    sizes.push_back(count(rows.count * call.split.shard(rank).valid()) *
                    size_of(call.logits.rows().dtype));
  }
  const std::byte* const own = own_rows(call, rows_of(call.logits, rows));
  if (call.ranks() == 1) return own;
  auto* const all = call.buffers.gathered_logits.resize<std::byte>(
      std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  call.tp.all_gather(own, all, sizes);
  return all;
}

/// All V columns of each row, in rows that are aligned to cache lines.
Logits full_rows(const ForwardCall& call, RowRange rows) {
  constexpr std::int64_t elements_per_line = 64;
  const std::int64_t vocab = call.split.vocab();
  const std::int64_t stride =
      (vocab + elements_per_line - 1) / elements_per_line * elements_per_line;
  const DType dtype = call.logits.rows().dtype;
  const auto element_bytes = static_cast<std::int64_t>(size_of(dtype));
  auto* const full =
      call.buffers.full_logits.resize<std::byte>(count(rows.count * stride * element_bytes));
  const std::byte* from = gathered_shards(call, rows);
  for (int rank = 0; rank < call.ranks(); ++rank) {
    const ShardColumns& shard = call.split.shard(rank);
    call.kernels.copy_rows({from, shard.valid(), full + shard.begin * element_bytes, stride, dtype,
                            rows.count, shard.valid()});
    from += rows.count * shard.valid() * element_bytes;
  }
  return {full, dtype, rows.count, stride, vocab};
}

}  // namespace

void gather_logits(const ForwardCall& call, RowRange rows, const RowOutputs& outputs) {
  const std::int64_t vocab = call.split.vocab();
  Targets whole = call.targets(rows);
  whole.own = {0, vocab, vocab};
  exchange_sums(call, rows, full_rows(call, rows), whole, 1, outputs);
}

}  // namespace vparity::cuda
