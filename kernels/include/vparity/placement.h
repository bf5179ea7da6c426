// Placement as types: the type of a value says where it lives in the process grid. A shard of the
// vocabulary, a full row, a value replicated over TP and a partial sum of one shard do not convert
// into each other. (Full logits in the place of a shard would silently add log TP to the result.)
// All views are non-owning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "vparity/dtype.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

/// `rows` rows of elements of type `dtype`. Row t starts `t * row_stride` elements after `data`.
/// Any alignment is allowed. `Byte` is `const std::byte` or `std::byte`.
template <class Byte>
struct BasicRows {
  Byte* data = nullptr;
  DType dtype = DType::fp32;
  std::int64_t rows = 0;
  std::int64_t row_stride = 0;

  Byte* row(std::int64_t t) const {
    return data + t * row_stride * static_cast<std::int64_t>(size_of(dtype));
  }
};
using Rows = BasicRows<const std::byte>;
using MutableRows = BasicRows<std::byte>;

/// This rank's columns of every row. Throws ArgumentError if row_stride < columns.width (with more
/// than one row).
template <class Byte>
class BasicVocabShard {
 public:
  BasicVocabShard(BasicRows<Byte> rows, ShardColumns columns);

  const BasicRows<Byte>& rows() const { return rows_; }
  const ShardColumns& columns() const { return columns_; }

 private:
  BasicRows<Byte> rows_;
  ShardColumns columns_;
};
using VocabShard = BasicVocabShard<const std::byte>;
using MutableVocabShard = BasicVocabShard<std::byte>;

/// All V columns of every row, on this rank.
class FullLogits {
 public:
  FullLogits(Rows rows, std::int64_t vocab);

  const Rows& rows() const { return rows_; }
  std::int64_t vocab() const { return vocab_; }

  /// The full row as the only shard of a group of one.
  VocabShard as_only_shard() const { return {rows_, {0, vocab_, vocab_}}; }

 private:
  Rows rows_;
  std::int64_t vocab_;
};

/// A `rows` x `columns` view of values that are the same on every TP rank. Strides are in elements;
/// stride 0 broadcasts. A default-constructed view is absent.
template <class T>
class Replicated {
 public:
  Replicated() = default;
  Replicated(T* data, std::int64_t rows, std::int64_t columns = 1)
      : Replicated(data, rows, columns, columns, 1) {}
  Replicated(T* data, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
             std::int64_t column_stride)
      : data_(data),
        rows_(rows),
        columns_(columns),
        row_stride_(row_stride),
        column_stride_(column_stride),
        present_(true) {}

  constexpr bool present() const { return present_; }
  constexpr std::int64_t rows() const { return rows_; }
  constexpr std::int64_t columns() const { return columns_; }
  T* data() const { return data_; }
  std::int64_t row_stride() const { return row_stride_; }
  std::int64_t column_stride() const { return column_stride_; }

  /// Rows [first, first + count); an absent view stays absent.
  Replicated slice(std::int64_t first, std::int64_t count) const {
    if (!present_) return {};
    return {data_ + first * row_stride_, count, columns_, row_stride_, column_stride_};
  }
  constexpr T& operator()(std::int64_t row, std::int64_t column = 0) const {
    return data_[row * row_stride_ + column * column_stride_];
  }

 private:
  T* data_ = nullptr;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t row_stride_ = 0;
  std::int64_t column_stride_ = 0;
  bool present_ = false;  // a present view of zero rows may have no data
};

/// A value of one shard only. It means nothing until the partials of all shards are merged.
template <class T>
struct Partial {
  T value;
};

/// Token ids [T, K], replicated over TP, as 64-bit or 32-bit integers.
class TokenIds {
 public:
  TokenIds(Replicated<const std::int64_t> ids) : ids_(ids) {}
  TokenIds(Replicated<const std::int32_t> ids) : ids_(ids) {}

  std::int64_t rows() const;
  int columns() const;
  TokenIds slice(std::int64_t first, std::int64_t count) const;
  std::int64_t operator()(std::int64_t row, int column) const {
    return std::visit([&](const auto& ids) -> std::int64_t { return ids(row, column); }, ids_);
  }
  const auto& view() const { return ids_; }

 private:
  std::variant<Replicated<const std::int64_t>, Replicated<const std::int32_t>> ids_;
};

}  // namespace vparity
