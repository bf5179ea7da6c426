#include "host/pipeline/reproducible_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "host/simd/reproducible_kernels.h"
#include "row/exchange_records.h"

namespace vparity {
namespace {

using reproducible::GridSums;
using reproducible::OrderKey;

/// A group of rows between its first message and its second.
struct Group {
  RowRange rows{0, 0};
  std::vector<float> maxima;   ///< F of the whole row; NaN also for +inf
  std::vector<float> targets;  ///< f(x_id_k), [rows, K]; 0 for an ignored id
  std::vector<Partial<GridSums>> sums;

  std::size_t size() const { return static_cast<std::size_t>(rows.count); }
  std::size_t sums_bytes() const { return sums.size() * sizeof(GridSums); }
};

/// The messages of all ranks: each has the sums of the previous group, then the maxima of the next.
struct Messages {
  const std::byte* base;
  std::size_t stride;
  std::size_t sums_bytes;
  std::int64_t next_rows;
  int id_columns;

  const GridSums& sums(int rank, std::size_t row) const {
    return reinterpret_cast<const GridSums*>(of_rank(rank))[row];
  }
  MaximumRecords<const std::byte> maxima(int rank) const {
    return {of_rank(rank) + sums_bytes, next_rows, id_columns};
  }

 private:
  const std::byte* of_rank(int rank) const {
    return base + static_cast<std::size_t>(rank) * stride;
  }
};

class ReproducibleRows {
 public:
  ReproducibleRows(const ForwardCall& call, std::int64_t chunk,
                   const std::function<void(RowRange, const FullRows&)>& examine)
      : call_(call), group_rows_(std::min(chunk, rows_in_cache())), examine_(examine) {}

  void run() {
    if (total() == 0) return;
    Group previous;
    for (std::int64_t first = 0; first < total(); first += group_rows_) {
      Group group{range_from(first), {}, {}, {}};
      exchange(previous, group);
      add_sums(group);
      previous = std::move(group);
    }
    Group none;
    exchange(previous, none);
  }

 private:
  std::int64_t total() const { return call_.logits.rows().rows; }

  /// The same on every rank: all ranks have to make equally many groups.
  std::int64_t rows_in_cache() const {
    std::int64_t widest = 1;
    for (int rank = 0; rank < call_.split.tp(); ++rank) {
      widest = std::max(widest, call_.split.shard(rank).valid());
    }
    const auto bytes = widest * static_cast<std::int64_t>(size_of(call_.logits.rows().dtype));
    return std::max<std::int64_t>(1, reproducible_group_bytes / bytes);
  }

  RowRange range_from(std::int64_t first) const {
    return {first, std::clamp<std::int64_t>(total() - first, 0, group_rows_)};
  }

  /// One all-gather: the sums of the previous group, whose results follow from them, and the maxima
  /// and targets of the next.
  void exchange(const Group& previous, Group& next) {
    const std::size_t sums_bytes = previous.sums_bytes();
    MaximumRecords<std::byte> maxima{nullptr, next.rows.count, call_.ids.columns()};
    std::vector<std::byte> own(sums_bytes + maxima.bytes());
    if (sums_bytes > 0) std::memcpy(own.data(), previous.sums.data(), sums_bytes);
    maxima.base = own.data() + sums_bytes;
    write_maxima(next.rows, maxima);
    std::vector<std::byte> all(own.size() * static_cast<std::size_t>(call_.tp.size()));
    call_.tp.all_gather(own, all);
    const Messages messages{all.data(), own.size(), sums_bytes, next.rows.count,
                            call_.ids.columns()};
    if (previous.rows.count > 0) examine_(previous.rows, merged(previous, messages));
    read_maxima(next, messages);
  }

  void write_maxima(RowRange rows, const MaximumRecords<std::byte>& records) {
    const std::vector<Partial<OrderKey>> keys = own_maxima(rows);
    for (std::int64_t row = 0; row < rows.count; ++row) {
      records.key(row) = keys[static_cast<std::size_t>(row)].value;
      for (int k = 0; k < call_.ids.columns(); ++k) {
        records.target(row, k) = own_target(call_, rows.first + row, k);
      }
    }
  }

  std::vector<Partial<OrderKey>> own_maxima(RowRange rows) {
    if (!upcoming_keys_.empty()) return std::move(upcoming_keys_);  // found by add_sums
    std::vector<Partial<OrderKey>> keys(static_cast<std::size_t>(rows.count));
    if (rows.count > 0) cpu::row_maxima(rows_of(call_.logits, rows), keys);
    return keys;
  }

  void read_maxima(Group& group, const Messages& messages) const {
    for (std::int64_t row = 0; row < group.rows.count; ++row) {
      OrderKey largest = std::numeric_limits<OrderKey>::min();
      for (int rank = 0; rank < call_.tp.size(); ++rank) {
        largest = std::max(largest, messages.maxima(rank).key(row));
      }
      group.maxima.push_back(maximum_of_row(largest));
      for (int k = 0; k < call_.ids.columns(); ++k) {
        const std::int64_t id = call_.ids(group.rows.first + row, k);
        // Selected from its owner: a product with an owner mask would make NaN of a masked target.
        group.targets.push_back(
            call_.ignored(id) ? 0 : messages.maxima(call_.split.owner_of(id)).target(row, k));
      }
    }
  }

  /// F of the largest x: f keeps the order.
  float maximum_of_row(OrderKey key) const {
    const float x = reproducible::value_of(key);
    if (x == std::numeric_limits<float>::infinity()) return std::numeric_limits<float>::quiet_NaN();
    return cpu::apply(call_.transform(), x);
  }

  void add_sums(Group& group) {
    const RowRange upcoming = range_from(group.rows.first + group.rows.count);
    const Rows& all = call_.logits.rows();
    group.sums.resize(group.size());
    upcoming_keys_.assign(static_cast<std::size_t>(upcoming.count), {});
    cpu::row_sums(rows_of(call_.logits, group.rows), call_.transform(), group.maxima,
                  upcoming.count > 0 ? rows_of(call_.logits, upcoming).rows()
                                     : Rows{nullptr, all.dtype, 0, 0},
                  group.sums, upcoming_keys_);
  }

  FullRows merged(const Group& group, const Messages& messages) const {
    FullRows full;
    full.targets = group.targets;
    for (std::size_t i = 0; i < group.size(); ++i) {
      GridSums sums{0, 0};
      for (int rank = 0; rank < call_.tp.size(); ++rank) {
        const GridSums& part = messages.sums(rank, i);
        sums.s += part.s;
        sums.u += part.u;
      }
      full.sums.push_back({group.maxima[i], static_cast<double>(sums.s) * 0x1p-40,
                           static_cast<double>(sums.u) * 0x1p-40, 0, 0});
    }
    return full;
  }

  const ForwardCall& call_;
  std::int64_t group_rows_;
  std::vector<Partial<OrderKey>> upcoming_keys_;
  const std::function<void(RowRange, const FullRows&)>& examine_;
};

}  // namespace

void reproducible_rows(const ForwardCall& call, std::int64_t chunk,
                       const std::function<void(RowRange, const FullRows&)>& examine) {
  ReproducibleRows(call, chunk, examine).run();
}

}  // namespace vparity
