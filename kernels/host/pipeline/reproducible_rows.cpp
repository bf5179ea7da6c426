#include "host/pipeline/reproducible_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "host/simd/reproducible_kernels.h"
#include "host/pipeline/target_logits.h"
#include "reproducible/order_key.h"

namespace vparity {
namespace {

using reproducible::OrderKey;

template <class T>
void append(std::vector<std::byte>& bytes, std::span<const T> values) {
  const auto from = std::as_bytes(values);
  bytes.insert(bytes.end(), from.begin(), from.end());
}

/// Value `index` of those that begin at `at`, which is not aligned.
template <class T>
T value_at(const std::byte* at, std::size_t index) {
  T value;
  std::memcpy(&value, at + index * sizeof value, sizeof value);
  return value;
}

/// A group of rows between its first message and its second.
struct Group {
  RowRange rows{0, 0};
  std::vector<float> maxima;   ///< F of the whole row; NaN also for +inf
  std::vector<float> targets;  ///< f(x_id_k), [rows, K]; 0 for an ignored id
  std::vector<Partial<reproducible::GridSums>> sums;

  std::size_t size() const { return static_cast<std::size_t>(rows.count); }
};

class ReproducibleRows {
 public:
  ReproducibleRows(const ForwardCall& call, std::int64_t chunk,
                   const std::function<void(RowRange, const FullRows&)>& examine)
      : call_(call),
        id_columns_(static_cast<std::size_t>(call.ids.columns())),
        group_rows_(std::min(chunk, rows_in_cache())),
        examine_(examine) {}

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

  /// The same on every rank, which all make as many groups.
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

  /// One message: the sums of the rows before, whose results follow from it, and the maxima and
  /// targets of the next.
  void exchange(const Group& previous, Group& next) {
    std::vector<std::byte> own;
    append(own, std::span<const Partial<reproducible::GridSums>>(previous.sums));
    const std::size_t sums_bytes = own.size();
    append(own, std::span<const Partial<OrderKey>>(own_maxima(next.rows)));
    append(own, std::span<const float>(own_targets(next.rows)));
    std::vector<std::byte> all(own.size() * static_cast<std::size_t>(call_.tp.size()));
    call_.tp.all_gather(own, all);
    if (previous.rows.count > 0) examine_(previous.rows, merged(previous, all.data(), own.size()));
    read_maxima(next, all.data() + sums_bytes, own.size());
  }

  std::vector<Partial<OrderKey>> own_maxima(RowRange rows) {
    if (!upcoming_keys_.empty()) return std::move(upcoming_keys_);  // found on the way
    std::vector<Partial<OrderKey>> keys(static_cast<std::size_t>(rows.count));
    if (rows.count > 0) cpu::row_maxima(rows_of(call_.logits, rows), keys);
    return keys;
  }

  /// t_k of the ids this shard owns; the others' places are not read by anyone.
  std::vector<float> own_targets(RowRange rows) const {
    const ShardColumns& own = call_.logits.columns();
    std::vector<float> targets;
    for (std::int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      for (int k = 0; k < call_.ids.columns(); ++k) {
        const std::int64_t id = call_.ids(row, k);
        const bool wanted = own.owns(id) && !call_.ignored(id);
        targets.push_back(
            wanted ? target_logit(call_.logits, row, id - own.begin, call_.transform()) : 0);
      }
    }
    return targets;
  }

  /// `messages`: those of all ranks, `stride` bytes each, from their maxima on.
  void read_maxima(Group& group, const std::byte* messages, std::size_t stride) const {
    for (std::size_t i = 0; i < group.size(); ++i) {
      OrderKey largest = std::numeric_limits<OrderKey>::min();
      for (int rank = 0; rank < call_.tp.size(); ++rank) {
        const std::byte* const keys = messages + static_cast<std::size_t>(rank) * stride;
        largest = std::max(largest, value_at<OrderKey>(keys, i));
      }
      group.maxima.push_back(maximum_of_row(largest));
      for (std::size_t k = 0; k < id_columns_; ++k) {
        const std::int64_t id =
            call_.ids(group.rows.first + static_cast<std::int64_t>(i), static_cast<int>(k));
        group.targets.push_back(
            call_.ignored(id) ? 0 : read_target(group, messages, stride, id, i * id_columns_ + k));
      }
    }
  }

  /// Selected from its owner: a product with an owner mask would make NaN of a masked target.
  float read_target(const Group& group, const std::byte* messages, std::size_t stride,
                    std::int64_t id, std::size_t index) const {
    const std::byte* const maxima =
        messages + static_cast<std::size_t>(call_.split.owner_of(id)) * stride;
    return value_at<float>(maxima + group.size() * sizeof(OrderKey), index);
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

  FullRows merged(const Group& group, const std::byte* messages, std::size_t stride) const {
    FullRows full;
    full.targets = group.targets;
    for (std::size_t i = 0; i < group.size(); ++i) {
      reproducible::GridSums sums{0, 0};
      for (int rank = 0; rank < call_.tp.size(); ++rank) {
        const std::byte* const own = messages + static_cast<std::size_t>(rank) * stride;
        const auto part = value_at<reproducible::GridSums>(own, i);
        sums.s += part.s;
        sums.u += part.u;
      }
      full.sums.push_back({group.maxima[i], static_cast<double>(sums.s) * 0x1p-40,
                           static_cast<double>(sums.u) * 0x1p-40, 0, 0});
    }
    return full;
  }

  const ForwardCall& call_;
  std::size_t id_columns_;
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
