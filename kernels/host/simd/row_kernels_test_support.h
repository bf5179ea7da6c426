// Stored rows for the tests of the row kernels, and one run per instruction set.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "host/simd/row_kernels.h"
#include "reference/row_statistics.h"
#include "reference/storage_format.h"

namespace vparity::cpu {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr DType all_dtypes[] = {DType::fp32, DType::bf16, DType::fp16};

inline reference::Format format_of(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return reference::Format::fp32;
    case DType::bf16:
      return reference::Format::bf16;
    case DType::fp16:
      return reference::Format::fp16;
  }
  return {};
}

/// A matrix in memory as a caller may hold it: any stride, first row at any byte. What is not set
/// holds bytes 0x5A.
class StoredRows {
 public:
  struct Shape {
    std::int64_t rows = 1;
    std::int64_t columns = 0;  ///< valid ones
    std::int64_t padding = 0;  ///< columns after them
    std::int64_t gap = 0;      ///< elements between rows
    std::size_t offset = 0;    ///< bytes before the first row
  };

  StoredRows(DType dtype, const Shape& shape)
      : dtype_(dtype), shape_(shape), bytes_(byte_of(shape.rows, 0), std::byte{0x5A}) {}

  void set(std::int64_t row, std::int64_t column, double value) {
    std::byte* const to = bytes_.data() + byte_of(row, column);
    const auto wide = static_cast<float>(value);
    if (dtype_ == DType::fp32) {
      std::memcpy(to, &wide, sizeof wide);
    } else {
      const std::uint16_t narrow = reference::encode16(format_of(dtype_), value);
      std::memcpy(to, &narrow, sizeof narrow);
    }
  }

  /// The stored value, exact.
  float get(std::int64_t row, std::int64_t column) const {
    const std::byte* const from = bytes_.data() + byte_of(row, column);
    float wide = 0;
    std::uint16_t narrow = 0;
    if (dtype_ == DType::fp32) {
      std::memcpy(&wide, from, sizeof wide);
      return wide;
    }
    std::memcpy(&narrow, from, sizeof narrow);
    return static_cast<float>(reference::decode16(format_of(dtype_), narrow));
  }

  void set_row(std::int64_t row, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      set(row, static_cast<std::int64_t>(i), values[i]);
  }

  std::vector<float> row(std::int64_t row) const {
    std::vector<float> values;
    for (std::int64_t v = 0; v < shape_.columns; ++v) values.push_back(get(row, v));
    return values;
  }

  /// The bytes of row `row`'s columns [first, last).
  std::vector<std::byte> bytes(std::int64_t row, std::int64_t first, std::int64_t last) const {
    return {bytes_.data() + byte_of(row, first), bytes_.data() + byte_of(row, last)};
  }
  const std::vector<std::byte>& all_bytes() const { return bytes_; }

  VocabShard shard() { return {{first(), dtype_, shape_.rows, stride()}, columns()}; }
  MutableVocabShard mutable_shard() {
    return {{first(), dtype_, shape_.rows, stride()}, columns()};
  }

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  ShardColumns columns() const { return {0, shape_.columns, shape_.columns + shape_.padding}; }

 private:
  std::int64_t stride() const { return shape_.columns + shape_.padding + shape_.gap; }
  std::byte* first() { return bytes_.data() + shape_.offset; }
  std::size_t byte_of(std::int64_t row, std::int64_t column) const {
    return shape_.offset + static_cast<std::size_t>(row * stride() + column) * size_of(dtype_);
  }

  DType dtype_;
  Shape shape_;
  std::vector<std::byte> bytes_;
};

/// One row, packed.
inline StoredRows one_row(DType dtype, const std::vector<double>& values) {
  StoredRows stored(dtype, {.columns = static_cast<std::int64_t>(values.size())});
  stored.set_row(0, values);
  return stored;
}

inline std::vector<RowSums> forward(StoredRows& logits, const Transform& transform = {},
                                    bool with_a = true) {
  std::vector<Partial<RowSums>> partials(static_cast<std::size_t>(logits.shape().rows));
  forward_rows(logits.shard(), transform, with_a, partials);
  std::vector<RowSums> sums;
  for (const auto& partial : partials) sums.push_back(partial.value);
  return sums;
}

inline Transform transform_of(const reference::Parameters& parameters) {
  return {static_cast<float>(parameters.temperature),
          static_cast<float>(parameters.softcap.value_or(0))};
}

/// Runs each test once on every instruction set that was compiled and that this processor has.
class OnEveryTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { choose(GetParam()); }
  void TearDown() override { choose(0); }

 private:
  static void choose(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

inline std::string target_name(const testing::TestParamInfo<std::int64_t>& target) {
  return hwy::TargetName(target.param);
}

#define VPARITY_ON_EVERY_TARGET(SUITE)                                                             \
  INSTANTIATE_TEST_SUITE_P(Targets, SUITE, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()), \
                           target_name)

}  // namespace vparity::cpu
