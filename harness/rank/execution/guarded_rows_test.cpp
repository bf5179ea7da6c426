#include "harness/rank/execution/guarded_rows.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <new>
#include <vector>

#include "harness/case/storage.h"

namespace vparity::harness {
namespace {

struct Layout {
  DType dtype;
  RowPlacement placement;
};

class GuardedRowsIn : public ::testing::TestWithParam<Layout> {
 protected:
  static constexpr std::int64_t row_count = 3;
  static constexpr std::int64_t width = 5;
  GuardedRows buffer_{GetParam().dtype, row_count, width, GetParam().placement};

  std::ptrdiff_t row_bytes() const {
    return width * static_cast<std::ptrdiff_t>(size_of(GetParam().dtype));
  }
  void write_row(std::int64_t row) {
    const std::vector<float> ones(width, 1.0F);
    encode(GetParam().dtype, ones, buffer_.mutable_rows().row(row));
  }
};

/// Where rows do not follow each other at once.
class SpacedRowsIn : public GuardedRowsIn {};

TEST_P(GuardedRowsIn, StartsAsNanThatCountsAsUnwritten) {
  std::vector<float> values(width);
  for (std::int64_t row = 0; row < row_count; ++row) {
    decode(GetParam().dtype, buffer_.rows().row(row), values);
    EXPECT_THAT(values, ::testing::Each(::testing::IsNan()));
  }
  EXPECT_EQ(buffer_.unwritten_elements(), row_count * width);
  EXPECT_TRUE(buffer_.guards_intact());
}

TEST_P(GuardedRowsIn, WritingEveryElementLeavesTheGuardsAlone) {
  for (std::int64_t row = 0; row < row_count; ++row) write_row(row);
  EXPECT_EQ(buffer_.unwritten_elements(), 0);
  EXPECT_TRUE(buffer_.guards_intact());
}

TEST_P(GuardedRowsIn, ARowLeftOutIsCounted) {
  write_row(0);
  write_row(1);
  EXPECT_EQ(buffer_.unwritten_elements(), width);
}

TEST_P(GuardedRowsIn, AnOrdinaryNanIsWritten) {
  std::vector<float> nans(width, std::nanf(""));
  for (std::int64_t row = 0; row < row_count; ++row) {
    encode(GetParam().dtype, nans, buffer_.mutable_rows().row(row));
  }
  EXPECT_EQ(buffer_.unwritten_elements(), 0);
}

TEST_P(GuardedRowsIn, AByteBeforeTheFirstRowShows) {
  buffer_.mutable_rows().row(0)[-1] = std::byte{0};
  EXPECT_FALSE(buffer_.guards_intact());
}

TEST_P(GuardedRowsIn, AByteBehindTheLastRowShows) {
  buffer_.mutable_rows().row(row_count - 1)[row_bytes()] = std::byte{0};
  EXPECT_FALSE(buffer_.guards_intact());
}

TEST_P(SpacedRowsIn, AByteBetweenRowsShows) {
  buffer_.mutable_rows().row(0)[row_bytes()] = std::byte{0};
  EXPECT_FALSE(buffer_.guards_intact());
}

TEST_P(SpacedRowsIn, AByteJustBeforeALaterRowShows) {
  buffer_.mutable_rows().row(1)[-1] = std::byte{0};
  EXPECT_FALSE(buffer_.guards_intact());
}

TEST_P(GuardedRowsIn, StartsOnTheBoundaryOrOneElementPastIt) {
  const auto address = reinterpret_cast<std::uintptr_t>(buffer_.rows().data);
  const bool odd = GetParam().placement.alignment == Alignment::odd;
  EXPECT_EQ(address % 64, odd ? size_of(GetParam().dtype) : 0);
}

std::vector<Layout> layouts_with(const std::vector<RowStride>& strides) {
  std::vector<Layout> all;
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const RowStride stride : strides) {
      for (const Alignment alignment : {Alignment::natural, Alignment::odd}) {
        all.push_back({dtype, {stride, alignment}});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Check, GuardedRowsIn,
                         ::testing::ValuesIn(layouts_with({RowStride::packed, RowStride::strided,
                                                           RowStride::huge})));
INSTANTIATE_TEST_SUITE_P(Check, SpacedRowsIn,
                         ::testing::ValuesIn(layouts_with({RowStride::strided, RowStride::huge})));

TEST(GuardedRows, HugeStrideReachesBeyond32BitOffsets) {
  const GuardedRows buffer(DType::bf16, 5, 4, {RowStride::huge, Alignment::natural});
  EXPECT_GT(buffer.rows().row(4) - buffer.rows().data, 1LL << 32);
}

TEST(GuardedRows, WithoutRowsOrColumnsOnlyGuardsExist) {
  for (const auto& [rows, width] : {std::pair{0, 7}, {7, 0}, {0, 0}}) {
    const GuardedRows buffer(DType::fp32, rows, width, {RowStride::strided, Alignment::odd});
    EXPECT_EQ(buffer.unwritten_elements(), 0);
    EXPECT_TRUE(buffer.guards_intact());
  }
}

TEST(GuardedRows, MoreThanTheAddressSpaceIsRefused) {
  const auto make = [](std::int64_t rows) {
    const GuardedRows buffer(DType::fp32, rows, 1, {RowStride::huge, Alignment::natural});
  };
  EXPECT_THROW(make(1LL << 20), std::bad_alloc);
  EXPECT_THROW(make(1LL << 40), std::bad_alloc);
}

}  // namespace
}  // namespace vparity::harness
