// Placement as types: where a value lives in the process grid is part of its type, so that one kind
// cannot be passed for another. A shard of the vocabulary, a full row, a value replicated over TP
// and a partial sum of one shard do not convert into each other. (Passing full logits where a shard
// is expected would silently add log TP to the result.) All views are non-owning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "vparity/dtype.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

/// `rows` rows of elements of type `dtype`; row t starts `t * row_stride` elements after `data`. No
/// alignment is asked for. `Byte` is `const std::byte` or `std::byte`.
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

/// Values that every TP rank holds alike: `rows` x `columns`, strides in elements (0 broadcasts). A
/// default-constructed one is absent.
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

  /// Some of its rows; an absent one stays absent.
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

/// Something that covers one shard only and means nothing until the shards' partials are merged
/// (see row/sums.h).
template <class T>
struct Partial {
  T value;
};

/// Token ids [T, K], replicated over TP; 64-bit, or 32-bit where that is what the caller has.
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
