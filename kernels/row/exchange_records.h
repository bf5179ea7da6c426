// The wire format of a forward: what the ranks of a tensor-parallel group tell each other about a
// chunk of rows. Host and devices use the same one. A message is one array after another, the
// widest elements first, and its length is a multiple of eight bytes: so every element is aligned,
// as devices need it, in the messages of all ranks after an all-gather.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "reproducible/exact_reductions.h"
#include "reproducible/host_device.h"
#include "row/sums.h"

namespace vparity {

namespace detail {
template <class Byte, class T>
using Like = std::conditional_t<std::is_const_v<Byte>, const T, T>;
inline constexpr VPARITY_HOST_DEVICE std::size_t multiple_of_eight(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}
}  // namespace detail

/// The sums of one shard's rows, modes `fast` and `gather`: s, u and, with label smoothing, a as
/// doubles; F and t_0 .. t_K-1 as floats; with label smoothing n as int32. That is 24 bytes per row
/// with one id column, 4 more for each further column, 12 more with label smoothing. `base` is a
/// multiple of eight; `Byte` is std::byte or const std::byte. Nothing is owned.
template <class Byte>
struct SumRecords {
  Byte* base;
  std::int64_t rows;
  int id_columns;
  bool with_a;  ///< with label smoothing

  VPARITY_HOST_DEVICE std::size_t bytes() const {
    const std::size_t smoothing = with_a ? sizeof(double) + sizeof(std::int32_t) : 0;
    const std::size_t row =
        2 * sizeof(double) + (1 + static_cast<std::size_t>(id_columns)) * sizeof(float) + smoothing;
    return detail::multiple_of_eight(static_cast<std::size_t>(rows) * row);
  }
  /// The message of another rank, where `base` is that of rank 0 in gathered messages.
  VPARITY_HOST_DEVICE SumRecords of_rank(int rank) const {
    return {base + static_cast<std::size_t>(rank) * bytes(), rows, id_columns, with_a};
  }

  /// t_k, which only the rank that owns the id writes and only its message is read for.
  VPARITY_HOST_DEVICE auto& target(std::int64_t row, int k) const {
    return floats()[rows + row * id_columns + k];
  }
  VPARITY_HOST_DEVICE void put(std::int64_t row, const RowSums& sums) const {
    doubles()[row] = sums.s;
    doubles()[rows + row] = sums.u;
    floats()[row] = sums.max;
    if (!with_a) return;
    doubles()[2 * rows + row] = sums.a;
    integers()[row] = sums.n;
  }
  VPARITY_HOST_DEVICE RowSums sums(std::int64_t row) const {
    RowSums sums{floats()[row], doubles()[row], doubles()[rows + row], 0, 0};
    if (!with_a) return sums;
    sums.a = doubles()[2 * rows + row];
    sums.n = integers()[row];
    return sums;
  }

 private:
  VPARITY_HOST_DEVICE auto* doubles() const {
    return reinterpret_cast<detail::Like<Byte, double>*>(base);
  }
  VPARITY_HOST_DEVICE auto* floats() const {
    return reinterpret_cast<detail::Like<Byte, float>*>(doubles() + (with_a ? 3 : 2) * rows);
  }
  VPARITY_HOST_DEVICE auto* integers() const {
    return reinterpret_cast<detail::Like<Byte, std::int32_t>*>(floats() + (1 + id_columns) * rows);
  }
};

/// The first message of mode `reproducible`: the key of each row's largest stored logit, then
/// t_0 .. t_K-1. The second one is an array of GridSums.
template <class Byte>
struct MaximumRecords {
  Byte* base;
  std::int64_t rows;
  int id_columns;

  VPARITY_HOST_DEVICE std::size_t bytes() const {
    return detail::multiple_of_eight(static_cast<std::size_t>(rows) * 4 *
                                     (1 + static_cast<std::size_t>(id_columns)));
  }
  VPARITY_HOST_DEVICE MaximumRecords of_rank(int rank) const {
    return {base + static_cast<std::size_t>(rank) * bytes(), rows, id_columns};
  }
  VPARITY_HOST_DEVICE auto& key(std::int64_t row) const {
    return reinterpret_cast<detail::Like<Byte, reproducible::OrderKey>*>(base)[row];
  }
  VPARITY_HOST_DEVICE auto& target(std::int64_t row, int k) const {
    return reinterpret_cast<detail::Like<Byte, float>*>(base)[rows + row * id_columns + k];
  }
};

}  // namespace vparity
