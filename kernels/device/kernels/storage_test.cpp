// Loads and stores of elements by the CUDA kernels, against the reference's formats.
#include "device/kernels/storage.cuh"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

#include "reference/storage_format.h"

namespace vparity::cuda {
namespace {

using reference::Format;

template <DType kType>
constexpr Format format = kType == DType::bf16 ? Format::bf16 : Format::fp16;

bool same(float a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

template <DType kType>
void expect_every_element_read() {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto element = static_cast<std::uint16_t>(bits);
    ASSERT_TRUE(same(Storage<kType>::widen(element), reference::decode16(format<kType>, element)))
        << std::hex << bits;
  }
}

TEST(CudaStorage, ReadsEveryElementOf16Bits) {
  expect_every_element_read<DType::bf16>();
  expect_every_element_read<DType::fp16>();
}

/// Every element, what lies half way to the next one, and its neighbours; then any float.
template <class Examine>
void for_each_float(const Examine& examine, float (*widen)(std::uint16_t)) {
  for (std::uint32_t bits = 0; bits < 0xFFFF; ++bits) {
    const float low = widen(static_cast<std::uint16_t>(bits));
    const float high = widen(static_cast<std::uint16_t>(bits + 1));
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const float middle = low / 2 + high / 2;
    for (const float value :
         {low, middle, std::nextafter(middle, -HUGE_VALF), std::nextafter(middle, HUGE_VALF)})
      examine(value);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isnan(value)) examine(value);
  }
  for (const float value : {65519.0F, 65519.996F, 65520.0F, 3.4e38F, HUGE_VALF, -HUGE_VALF})
    examine(value);
}

template <DType kType>
void expect_rounded_to_nearest_even() {
  for_each_float(
      [](float value) {
        ASSERT_EQ(Storage<kType>::narrow(value), reference::encode16(format<kType>, value))
            << value;
      },
      Storage<kType>::widen);
}

TEST(CudaStorage, RoundsToNearestEven) {
  expect_rounded_to_nearest_even<DType::bf16>();
  expect_rounded_to_nearest_even<DType::fp16>();
}

TEST(CudaStorage, AGroupHasTheElementsOfMemoryInTheirOrder) {
  const float values[8] = {0.5F, -2, 3, -4.5F, 5, 6, -7, 8};
  for (const bool bf16 : {true, false}) {
    const uint4 group =
        bf16 ? Storage<DType::bf16>::encode(values) : Storage<DType::fp16>::encode(values);
    std::uint16_t elements[8];
    std::memcpy(elements, &group, sizeof elements);
    float back[8];
    bf16 ? Storage<DType::bf16>::decode(group, back) : Storage<DType::fp16>::decode(group, back);
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(reference::decode16(bf16 ? Format::bf16 : Format::fp16, elements[i]), values[i]);
      EXPECT_EQ(back[i], values[i]);
    }
  }
}

TEST(CudaStorage, NanAndZeroAreTheOnesOfSemantics6) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  alignas(4) std::byte memory[4];
  std::uint32_t word = 0;
  std::uint16_t element = 0;
  for (const float value : {nan, -nan}) {
    store_element<DType::fp32>(memory, value);
    std::memcpy(&word, memory, sizeof word);
    EXPECT_EQ(word, 0x7FC00000U);
    store_element<DType::bf16>(memory, value);
    std::memcpy(&element, memory, sizeof element);
    EXPECT_EQ(element, 0x7FC0);
    store_element<DType::fp16>(memory, value);
    std::memcpy(&element, memory, sizeof element);
    EXPECT_EQ(element, 0x7E00);
  }
  for (const float value : {-0.0F, -1e-30F}) {  // the latter is zero in fp16 alone
    store_element<DType::fp16>(memory, value);
    std::memcpy(&element, memory, sizeof element);
    EXPECT_EQ(element, 0);
  }
}

TEST(CudaStorage, RefusesMisalignedAddressesAsADeviceDoes) {
  alignas(16) std::byte memory[32] = {};
  EXPECT_NO_THROW(load_group(memory + 16));
  EXPECT_THROW(load_group(memory + 8), std::logic_error);
  EXPECT_THROW(store_group(memory + 4, {}), std::logic_error);
  EXPECT_THROW(load_element<DType::fp32>(memory + 2), std::logic_error);
}

}  // namespace
}  // namespace vparity::cuda
