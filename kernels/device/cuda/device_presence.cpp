#include <fmt/format.h>

#include <array>
#include <cstring>

#include "device/cuda/cuda_check.h"
#include "vparity/cuda_presence.h"

namespace vparity {
namespace {

using cuda::text_of;

std::string version_text(int code) { return fmt::format("{}.{}", code / 1000, code % 1000 / 10); }

/// 0 if there is no driver.
int driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

int runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : 0;
}

/// The runtime has one error code for a driver that is too old and for no driver.
std::string why_none(cudaError_t code) {
  if (code == cudaErrorInsufficientDriver && driver_version() == 0)
    return "no NVIDIA driver is installed";
  if (code == cudaErrorInsufficientDriver)
    return fmt::format("the driver supports CUDA {}, this build needs {}",
                       version_text(driver_version()), version_text(runtime_version()));
  if (code == cudaErrorNoDevice || code == cudaSuccess) return "the driver finds no device";
  return text_of(code);
}

std::string uuid_text(const cudaUUID_t& uuid) {
  std::array<unsigned char, sizeof uuid.bytes> b{};
  std::memcpy(b.data(), uuid.bytes, b.size());
  const auto hex = [&](std::size_t from, std::size_t to) {
    return fmt::format("{:02x}", fmt::join(b.begin() + from, b.begin() + to, ""));
  };
  return fmt::format("GPU-{}-{}-{}-{}-{}", hex(0, 4), hex(4, 6), hex(6, 8), hex(8, 10),
                     hex(10, 16));
}

int attribute(cudaDeviceAttr which, int index) {
  int value = 0;
  VPARITY_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, index));
  return value;
}

}  // namespace

DevicePresence cuda_device_presence() {
  int count = 0;  // without a driver the call does not set it
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count > 0) return {count, {}};
  cudaGetLastError();
  return {0, why_none(code)};
}

CudaDeviceProperties cuda_device_properties(int index) {
  cudaDeviceProp properties{};
  VPARITY_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  constexpr int kilo = 1000;
  return {.name = properties.name,
          .uuid = uuid_text(properties.uuid),
          .memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem),
          .core_clock_mhz = attribute(cudaDevAttrClockRate, index) / kilo,
          .memory_clock_mhz = attribute(cudaDevAttrMemoryClockRate, index) / kilo,
          .compute_capability = 10 * properties.major + properties.minor};
}

CudaVersions cuda_versions() {
  const int driver = driver_version();
  return {version_text(runtime_version()), driver == 0 ? "" : version_text(driver)};
}

}  // namespace vparity
