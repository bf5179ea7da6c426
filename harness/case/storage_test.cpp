#include "harness/case/storage.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <vector>

namespace vparity::harness {
namespace {

using ::testing::ElementsAre;

// 2^-8 is half a unit in the last place of bf16 at 1, 2^-11 of fp16: ties go to the even neighbour.
TEST(Storage, RoundsTiesToEven) {
  std::vector<float> bf16{1 + 0x1p-8F, 1 + 3 * 0x1p-8F, 1 + 0x1p-9F};
  round_to(DType::bf16, bf16);
  EXPECT_THAT(bf16, ElementsAre(1, 1 + 0x1p-6F, 1));

  std::vector<float> fp16{1 + 0x1p-11F, 1 + 3 * 0x1p-11F, 65520};
  round_to(DType::fp16, fp16);
  EXPECT_THAT(fp16, ElementsAre(1, 1 + 0x1p-9F, INFINITY));
}

TEST(Storage, LeavesFp32Alone) {
  std::vector<float> values{1 + 0x1p-23F};
  round_to(DType::fp32, values);
  EXPECT_EQ(values[0], 1 + 0x1p-23F);
}

TEST(Storage, BytesAreThoseOfTheFormats) {
  std::array<std::byte, 2> bytes{};
  encode(DType::bf16, std::array{-1.5F}, bytes.data());
  EXPECT_THAT(bytes, ElementsAre(std::byte{0xC0}, std::byte{0xBF}));
  encode(DType::fp16, std::array{-1.5F}, bytes.data());
  EXPECT_THAT(bytes, ElementsAre(std::byte{0x00}, std::byte{0xBE}));
}

TEST(Storage, DecodesWhatItEncodesAtAnyAddress) {
  const std::array values{0.0F, -2.5F, 0x1p-24F, INFINITY, -INFINITY, 1024.0F};
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    std::array<std::byte, sizeof values + 1> bytes{};
    std::array<float, values.size()> back{};
    encode(dtype, values, bytes.data() + 1);
    decode(dtype, bytes.data() + 1, back);
    EXPECT_EQ(back, values);
  }
}

}  // namespace
}  // namespace vparity::harness
