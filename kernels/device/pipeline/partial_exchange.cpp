#include "device/pipeline/partial_exchange.h"

namespace vparity::cuda {

void exchange_partials(const ForwardCall& call, RowRange rows, const RowOutputs& outputs) {
  exchange_sums(call, rows, device_logits(rows_of(call.logits, rows)), call.targets(rows),
                call.ranks(), outputs);
}

void exchange_sums(const ForwardCall& call, RowRange rows, const Logits& logits,
                   const Targets& targets, int exchanged_with, const RowOutputs& outputs) {
  const std::int64_t blocks = blocks_of(logits.columns);
  const int id_columns = call.ids.columns();
  auto* const sums = call.buffers.blocks.resize<Partial<RowSums>>(count(rows.count * blocks));
  call.kernels.sum_blocks({logits, call.transform(), call.with_smoothing(), sums});
  SumRecords<std::byte> own{nullptr, rows.count, id_columns, call.with_smoothing()};
  own.base = call.buffers.own.resize<std::byte>(own.bytes());
  call.kernels.write_records({logits, call.transform(), sums, targets, own});
  const std::byte* const all =
      exchanged_with == 1 ? own.base : call.all_gather(own.base, own.bytes());
  call.kernels.write_outputs({{all, rows.count, id_columns, call.with_smoothing()},
                              exchanged_with,
                              call.shard_ends(exchanged_with),
                              targets,
                              call.options,
                              rows.count,
                              outputs});
}

}  // namespace vparity::cuda
