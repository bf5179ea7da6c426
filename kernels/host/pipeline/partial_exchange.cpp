#include "host/pipeline/partial_exchange.h"

#include <cstring>

#include "host/pipeline/target_logits.h"

namespace vparity {
namespace {

/// How one row of one shard travels: F, t_0 .. t_K-1 as floats; s, u as doubles; with label
/// smoothing also a as double and n as int32. Packed, so nothing is aligned.
class RecordFormat {
 public:
  RecordFormat(int id_columns, bool with_smoothing)
      : id_columns_(static_cast<std::size_t>(id_columns)), with_smoothing_(with_smoothing) {}

  std::size_t bytes() const {
    const std::size_t smoothing = sizeof(double) + sizeof(std::int32_t);
    return sizeof(float) * (1 + id_columns_) + 2 * sizeof(double) +
           (with_smoothing_ ? smoothing : 0);
  }

  void write(std::byte* record, const RowSums& sums, std::span<const float> targets) const {
    put(record, sums.max);
    for (const float target : targets) put(record, target);
    put(record, sums.s);
    put(record, sums.u);
    if (!with_smoothing_) return;
    put(record, sums.a);
    put(record, sums.n);
  }

  RowSums read_sums(const std::byte* record) const {
    RowSums sums{};
    take(record, sums.max);
    record += sizeof(float) * id_columns_;
    take(record, sums.s);
    take(record, sums.u);
    if (!with_smoothing_) return sums;
    take(record, sums.a);
    take(record, sums.n);
    return sums;
  }

  float read_target(const std::byte* record, int id_column) const {
    record += sizeof(float) * (1 + static_cast<std::size_t>(id_column));
    float target = 0;
    take(record, target);
    return target;
  }

 private:
  template <class T>
  static void put(std::byte*& at, const T& value) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
  template <class T>
  static void take(const std::byte*& at, T& value) {
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
  }

  std::size_t id_columns_;
  bool with_smoothing_;
};

/// t_k of the ids this shard owns; the others' places are not read by anyone.
void own_targets(const ForwardCall& call, std::int64_t row, std::span<float> targets) {
  const ShardColumns& own = call.logits.columns();
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const std::int64_t id = call.ids(row, static_cast<int>(k));
    const bool wanted = own.owns(id) && !call.ignored(id);
    targets[k] = wanted ? target_logit(call.logits, row, id - own.begin, call.transform()) : 0;
  }
}

using ShardSums = std::span<const Partial<RowSums>>;

std::vector<std::byte> own_records(const ForwardCall& call, RowRange rows, ShardSums sums,
                                   const RecordFormat& format) {
  const auto count = static_cast<std::size_t>(rows.count);
  std::vector<float> targets(static_cast<std::size_t>(call.ids.columns()));
  std::vector<std::byte> records(count * format.bytes());
  for (std::size_t i = 0; i < count; ++i) {
    own_targets(call, rows.first + static_cast<std::int64_t>(i), targets);
    format.write(records.data() + i * format.bytes(), sums[i].value, targets);
  }
  return records;
}

/// The records of all shards: rank-major, a rank's rows in order.
class GatheredRecords {
 public:
  GatheredRecords(const ForwardCall& call, RowRange rows, ShardSums own)
      : call_(call),
        rows_(rows),
        format_(call.ids.columns(), call.with_smoothing()),
        bytes_per_rank_(static_cast<std::size_t>(rows.count) * format_.bytes()),
        bytes_(bytes_per_rank_ * static_cast<std::size_t>(call.tp.size())) {
    call.tp.all_gather(own_records(call, rows, own, format_), bytes_);
  }

  FullRowSums merged(std::int64_t row) const {
    FullRowSums all = no_shards;
    for (int rank = 0; rank < call_.tp.size(); ++rank) {
      const Partial<RowSums> shard{format_.read_sums(record(rank, row))};
      all = merge(all, shard, call_.options.temperature);
    }
    return all;
  }

  /// Selected from its owner: a product with an owner mask would make NaN of a masked target.
  float target(std::int64_t row, int id_column) const {
    const std::int64_t id = call_.ids(rows_.first + row, id_column);
    if (call_.ignored(id)) return 0;
    return format_.read_target(record(call_.split.owner_of(id), row), id_column);
  }

 private:
  const std::byte* record(int rank, std::int64_t row) const {
    return bytes_.data() + static_cast<std::size_t>(rank) * bytes_per_rank_ +
           static_cast<std::size_t>(row) * format_.bytes();
  }

  const ForwardCall& call_;
  RowRange rows_;
  RecordFormat format_;
  std::size_t bytes_per_rank_;
  std::vector<std::byte> bytes_;
};

}  // namespace

FullRows exchange_partials(const ForwardCall& call, RowRange rows) {
  std::vector<Partial<RowSums>> sums(static_cast<std::size_t>(rows.count));
  cpu::forward_rows(rows_of(call.logits, rows), call.transform(), call.with_smoothing(), sums);
  return exchange_sums(call, rows, sums);
}

FullRows exchange_sums(const ForwardCall& call, RowRange rows, ShardSums own) {
  const GatheredRecords records(call, rows, own);
  FullRows full;
  full.reserve(rows.count, call.ids.columns());
  for (std::int64_t row = 0; row < rows.count; ++row) {
    full.sums.push_back(records.merged(row));
    for (int k = 0; k < call.ids.columns(); ++k) full.targets.push_back(records.target(row, k));
  }
  return full;
}

}  // namespace vparity
