// Memory handed to a provider, prepared so that what it leaves unwritten and what it writes
// beside its rows shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "harness/case/parameters.h"
#include "harness/rank/execution/page_mapping.h"
#include "vparity/placement.h"

namespace vparity::harness {

/// How a buffer's rows lie in memory.
struct RowPlacement {
  RowStride stride = RowStride::packed;
  Alignment alignment = Alignment::natural;
};

/// `rows` x `width` elements with guard bytes before, behind and between the rows. Elements and
/// guards start as a NaN that no arithmetic gives, in all three storage types.
///
/// `strided` leaves 13 elements between rows; `huge` starts a row every 2^30 elements of a sparse
/// mapping, of which only the touched pages exist. `natural` starts the first row on a 64-byte
/// boundary, `odd` one element past it.
class GuardedRows {
 public:
  /// Throws std::bad_alloc if the address space does not hold it.
  GuardedRows(DType dtype, std::int64_t rows, std::int64_t width, RowPlacement placement = {});

  Rows rows() const { return {data_, dtype_, rows_, row_stride_}; }
  MutableRows mutable_rows() { return {data_, dtype_, rows_, row_stride_}; }
  std::int64_t width() const { return width_; }

  /// The bytes of one row's elements.
  std::span<const std::byte> row_bytes(std::int64_t row) const;

  /// Whether every guard byte still is what it was.
  bool guards_intact() const;

  /// Elements that hold the initial NaN, bit for bit: nobody wrote them.
  std::int64_t unwritten_elements() const;

 private:
  void for_each_guard(const std::function<void(std::span<std::byte>)>& visit) const;

  DType dtype_;
  std::int64_t rows_;
  std::int64_t width_;
  std::int64_t row_stride_;
  PageMapping memory_;
  std::byte* data_;
};

/// The rows as values that every TP rank holds alike; `buffer` is fp32.
Replicated<float> replicated(GuardedRows& buffer);
Replicated<const float> replicated(const GuardedRows& buffer);

}  // namespace vparity::harness
