#include "device/pipeline/reproducible_rows.h"

namespace vparity::cuda {
namespace {

using reproducible::GridSums;
using reproducible::OrderKey;

void exchange_maxima(const ForwardCall& call, RowRange rows, const Logits& logits) {
  ForwardBuffers& buffers = call.buffers;
  const int id_columns = call.ids.columns();
  auto* const keys = buffers.blocks.resize<OrderKey>(count(rows.count * blocks_of(logits.columns)));
  call.kernels.find_maxima({logits, keys});
  MaximumRecords<std::byte> own{nullptr, rows.count, id_columns};
  own.base = buffers.own.resize<std::byte>(own.bytes());
  call.kernels.write_maxima({logits, call.transform(), keys, call.targets(rows), own});
  const std::byte* const all = call.all_gather(own.base, own.bytes());
  call.kernels.read_maxima({{all, rows.count, id_columns},
                            call.ranks(),
                            call.shard_ends(call.ranks()),
                            call.targets(rows),
                            call.transform(),
                            rows.count,
                            buffers.maxima.resize<float>(count(rows.count)),
                            buffers.targets.resize<float>(count(rows.count * id_columns))});
}

void exchange_sums(const ForwardCall& call, RowRange rows, const Logits& logits,
                   const RowOutputs& outputs) {
  ForwardBuffers& buffers = call.buffers;
  const std::int64_t blocks = blocks_of(logits.columns);
  const auto* const maxima = buffers.maxima.as<const float>();
  auto* const parts = buffers.blocks.resize<GridSums>(count(rows.count * blocks));
  call.kernels.sum_on_grid({logits, call.transform(), maxima, parts});
  auto* const own = buffers.own.resize<GridSums>(count(rows.count));
  call.kernels.add_grid_blocks({parts, rows.count, blocks, own});
  const std::byte* const all = call.all_gather(reinterpret_cast<const std::byte*>(own),
                                               count(rows.count) * sizeof(GridSums));
  call.kernels.write_grid_outputs({reinterpret_cast<const GridSums*>(all), call.ranks(), maxima,
                                   buffers.targets.as<const float>(), call.targets(rows),
                                   call.options, rows.count, outputs});
}

}  // namespace

void reproducible_rows(const ForwardCall& call, RowRange rows, const RowOutputs& outputs) {
  const Logits logits = device_logits(rows_of(call.logits, rows));
  exchange_maxima(call, rows, logits);
  exchange_sums(call, rows, logits, outputs);
}

}  // namespace vparity::cuda
