#include "host/pipeline/partial_exchange.h"

#include "row/exchange_records.h"

namespace vparity {
namespace {

using ShardSums = std::span<const Partial<RowSums>>;

std::vector<std::byte> own_message(const ForwardCall& call, RowRange rows, ShardSums sums) {
  SumRecords<std::byte> records{nullptr, rows.count, call.ids.columns(), call.with_smoothing()};
  std::vector<std::byte> message(records.bytes());
  records.base = message.data();
  for (std::int64_t row = 0; row < rows.count; ++row) {
    records.put(row, sums[static_cast<std::size_t>(row)].value);
    for (int k = 0; k < call.ids.columns(); ++k) {
      records.target(row, k) = own_target(call, rows.first + row, k);
    }
  }
  return message;
}

FullRowSums merged(const ForwardCall& call, const SumRecords<const std::byte>& records,
                   std::int64_t row) {
  FullRowSums all = no_shards;
  for (int rank = 0; rank < call.tp.size(); ++rank) {
    const Partial<RowSums> shard{records.of_rank(rank).sums(row)};
    all = merge(all, shard, call.options.temperature);
  }
  return all;
}

}  // namespace

FullRows exchange_partials(const ForwardCall& call, RowRange rows) {
  std::vector<Partial<RowSums>> sums(static_cast<std::size_t>(rows.count));
  cpu::forward_rows(rows_of(call.logits, rows), call.transform(), call.with_smoothing(), sums);
  return exchange_sums(call, rows, sums);
}

FullRows exchange_sums(const ForwardCall& call, RowRange rows, ShardSums own) {
  const std::vector<std::byte> message = own_message(call, rows, own);
  std::vector<std::byte> gathered(message.size() * static_cast<std::size_t>(call.tp.size()));
  call.tp.all_gather(message, gathered);
  const SumRecords<const std::byte> records{gathered.data(), rows.count, call.ids.columns(),
                                            call.with_smoothing()};
  FullRows full;
  full.reserve(rows.count, call.ids.columns());
  for (std::int64_t row = 0; row < rows.count; ++row) {
    full.sums.push_back(merged(call, records, row));
    for (int k = 0; k < call.ids.columns(); ++k) {
      const std::int64_t id = call.ids(rows.first + row, k);
      // Selected from its owner: a product with an owner mask would make NaN of a masked target.
      full.targets.push_back(
          call.ignored(id) ? 0 : records.of_rank(call.split.owner_of(id)).target(row, k));
    }
  }
  return full;
}

}  // namespace vparity
