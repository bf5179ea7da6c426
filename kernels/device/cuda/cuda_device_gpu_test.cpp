// A device's memory and queue, on a device.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vparity/cuda_device.h"
#include "vparity/cuda_presence.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::Each;
using ::testing::MatchesRegex;

std::vector<std::byte> numbered(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 3);
  return bytes;
}

constexpr std::size_t size = 1 << 20;

TEST(CudaDevice, CopiesInAcrossAndOutInOrder) {
  const auto device = make_cuda_device(0);
  std::byte* first = device->allocate(size);
  std::byte* second = device->allocate(size);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0);
  auto source = numbered(size);
  std::vector<std::byte> result(size);
  device->copy_in(first, source.data(), size);
  source.assign(size, std::byte{0});  // may be reused at once
  device->fill(second, 0xab, size);
  device->copy(second, first, size / 2);
  device->copy_out(result.data(), second, size);
  device->wait();
  auto expected = numbered(size);
  std::fill(expected.begin() + size / 2, expected.end(), std::byte{0xab});
  EXPECT_EQ(result, expected);
  device->release(first);
  device->release(second);
}

TEST(CudaDevice, PageLockedSourceOfACopyMayBeReusedAtOnce) {
  const auto device = make_cuda_device(0);
  std::byte* memory = device->allocate(size);
  void* locked = nullptr;
  ASSERT_EQ(cudaMallocHost(&locked, size), cudaSuccess);
  std::memset(locked, 1, size);
  device->copy_in(memory, static_cast<const std::byte*>(locked), size);
  std::memset(locked, 2, size);
  std::vector<std::byte> result(size);
  device->copy_out(result.data(), memory, size);
  device->wait();
  EXPECT_THAT(result, Each(std::byte{1}));
  cudaFreeHost(locked);
  device->release(memory);
}

TEST(CudaDevice, WorksOverTheCallersStreamAndLeavesItAlive) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    const auto device = make_cuda_device(0, stream);
    EXPECT_EQ(device->stream(), stream);
  }
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(CudaDevice, TooLargeAnAllocationIsADeviceErrorAndTheDeviceStaysUsable) {
  const auto device = make_cuda_device(0);
  EXPECT_THROW(device->allocate(std::size_t{1} << 60), DeviceError);
  std::byte* memory = device->allocate(size);
  device->fill(memory, 0, size);
  device->wait();
  device->release(memory);
}

TEST(CudaDeviceProperties, NameTheDevice) {
  const auto properties = cuda_device_properties(0);
  EXPECT_FALSE(properties.name.empty());
  EXPECT_THAT(properties.uuid,
              MatchesRegex("GPU-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"));
  EXPECT_GT(properties.memory_bytes, std::int64_t{1} << 30);
  EXPECT_GT(properties.core_clock_mhz, 100);
  EXPECT_GE(properties.compute_capability, 50);
}

}  // namespace
}  // namespace vparity
