#include "harness/rank/execution/guarded_rows.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace vparity::harness {
namespace {

constexpr std::size_t guard_bytes = 128;        // a multiple of the widest vector
constexpr std::int64_t strided_gap = 13;        // odd, so that rows differ in alignment
constexpr std::int64_t huge_stride = 1L << 30;  // two rows pass 2^31 bytes, three 2^31 elements

/// A NaN as fp32 (0xFFA5FFA5), bf16 and fp16. In the first two it is a signalling one, which
/// arithmetic turns into a quiet one, so that no result equals it.
constexpr std::uint16_t poison = 0xFFA5;

/// All buffers, rows and guards start at even addresses and have even sizes.
std::span<std::uint16_t> as_words(std::span<std::byte> bytes) {
  return {reinterpret_cast<std::uint16_t*>(bytes.data()), bytes.size() / sizeof(std::uint16_t)};
}

void fill_with_poison(std::span<std::byte> bytes) { std::ranges::fill(as_words(bytes), poison); }

bool is_poison(std::span<std::byte> bytes) {
  return std::ranges::all_of(as_words(bytes), [](std::uint16_t word) { return word == poison; });
}

std::int64_t stride_of(RowStride stride, std::int64_t width) {
  switch (stride) {
    case RowStride::packed:
      return width;
    case RowStride::strided:
      return width + strided_gap;
    case RowStride::huge:
      return std::max(width, huge_stride);
  }
  return width;
}

std::size_t offset_of(Alignment alignment, DType dtype) {
  return guard_bytes + (alignment == Alignment::odd ? size_of(dtype) : 0);
}

/// Bytes from the first row's start to the last row's end.
std::size_t extent(DType dtype, std::int64_t rows, std::int64_t width, std::int64_t stride) {
  if (rows == 0) return 0;
  std::int64_t elements = 0;
  constexpr std::int64_t limit = std::int64_t{1} << 60;
  if (__builtin_mul_overflow(rows - 1, stride, &elements) || elements > limit - width) {
    throw std::bad_alloc();
  }
  return static_cast<std::size_t>(elements + width) * size_of(dtype);
}

/// `pattern` is the poison at the element's size.
template <class Element>
std::int64_t count_of(Element pattern, std::span<const std::byte> row) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < row.size(); i += sizeof(Element)) {
    Element element;
    std::memcpy(&element, row.data() + i, sizeof element);
    count += element == pattern ? 1 : 0;
  }
  return count;
}

}  // namespace

GuardedRows::GuardedRows(DType dtype, std::int64_t rows, std::int64_t width, RowPlacement placement)
    : dtype_(dtype),
      rows_(rows),
      width_(width),
      row_stride_(stride_of(placement.stride, width)),
      memory_(offset_of(placement.alignment, dtype) + extent(dtype, rows, width, row_stride_) +
              guard_bytes),
      data_(memory_.data() + offset_of(placement.alignment, dtype)) {
  for_each_guard(fill_with_poison);
  for (std::int64_t t = 0; t < rows_; ++t) {
    fill_with_poison({mutable_rows().row(t), row_bytes(t).size()});
  }
}

std::span<const std::byte> GuardedRows::row_bytes(std::int64_t row) const {
  return {rows().row(row), static_cast<std::size_t>(width_) * size_of(dtype_)};
}

void GuardedRows::for_each_guard(const std::function<void(std::span<std::byte>)>& visit) const {
  std::byte* begin = memory_.data();
  for (std::int64_t t = 0; t < rows_; ++t) {
    std::byte* row = MutableRows{data_, dtype_, rows_, row_stride_}.row(t);
    const auto gap = static_cast<std::size_t>(row - begin);
    // Of a gap wider than two guards only the bytes next to the rows are touched.
    const std::size_t tail = gap > 2 * guard_bytes ? guard_bytes : 0;
    visit({begin, tail > 0 ? guard_bytes : gap});
    visit({row - tail, tail});
    begin = row + row_bytes(t).size();
  }
  visit({begin, static_cast<std::size_t>(memory_.data() + memory_.size() - begin)});
}

bool GuardedRows::guards_intact() const {
  bool intact = true;
  for_each_guard([&](std::span<std::byte> guard) { intact = intact && is_poison(guard); });
  return intact;
}

std::int64_t GuardedRows::unwritten_elements() const {
  constexpr std::uint32_t wide_poison = poison * 0x10001U;
  std::int64_t count = 0;
  for (std::int64_t t = 0; t < rows_; ++t) {
    count += size_of(dtype_) == sizeof poison ? count_of(poison, row_bytes(t))
                                              : count_of(wide_poison, row_bytes(t));
  }
  return count;
}

Replicated<float> replicated(GuardedRows& buffer) {
  const MutableRows rows = buffer.mutable_rows();
  return {reinterpret_cast<float*>(rows.data), rows.rows, buffer.width(), rows.row_stride, 1};
}

Replicated<const float> replicated(const GuardedRows& buffer) {
  const Rows rows = buffer.rows();
  return {reinterpret_cast<const float*>(rows.data), rows.rows, buffer.width(), rows.row_stride, 1};
}

}  // namespace vparity::harness
