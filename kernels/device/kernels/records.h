// How the rows of one shard travel to the other ranks: one array after another, the widest elements
// first, so that each is aligned; a rank's contribution is a multiple of eight bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "reproducible/host_device.h"
#include "reproducible/order_key.h"
#include "row/sums.h"

namespace vparity::cuda {

namespace detail {
template <class Byte, class T>
using Like = std::conditional_t<std::is_const_v<Byte>, const T, T>;
inline constexpr VPARITY_HOST_DEVICE std::size_t multiple_of_eight(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}
}  // namespace detail

/// Mode `fast`: s, u and, with label smoothing, a as doubles; F and t_0 .. t_K-1 as floats; n. 24
/// bytes per row with one id column, 12 more with smoothing. `Byte` is std::byte or const
/// std::byte.
template <class Byte>
struct Records {
  Byte* base;
  std::int64_t rows;
  int id_columns;
  bool with_a;

  VPARITY_HOST_DEVICE std::size_t bytes() const {
    const std::size_t smoothing = with_a ? sizeof(double) + sizeof(std::int32_t) : 0;
    const std::size_t row =
        2 * sizeof(double) + (1 + static_cast<std::size_t>(id_columns)) * sizeof(float) + smoothing;
    return detail::multiple_of_eight(static_cast<std::size_t>(rows) * row);
  }
  VPARITY_HOST_DEVICE Records of_rank(int rank) const {
    return {base + static_cast<std::size_t>(rank) * bytes(), rows, id_columns, with_a};
  }

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

/// Mode `reproducible`: the key of the largest stored logit, then t_0 .. t_K-1.
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

}  // namespace vparity::cuda
