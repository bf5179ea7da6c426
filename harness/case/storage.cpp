#include "harness/case/storage.h"

#include <cstdint>
#include <cstring>

namespace vparity::harness {

void round_to(DType dtype, std::span<float> values) {
  if (dtype == DType::fp32) return;
  const reference::Format format = format_of(dtype);
  for (float& value : values) value = static_cast<float>(reference::round_to(format, value));
}

void encode(DType dtype, std::span<const float> values, std::byte* bytes) {
  if (dtype == DType::fp32) {
    if (!values.empty()) std::memcpy(bytes, values.data(), values.size_bytes());
    return;
  }
  for (const float value : values) {
    const std::uint16_t bits = reference::encode16(format_of(dtype), value);
    std::memcpy(bytes, &bits, sizeof bits);
    bytes += sizeof bits;
  }
}

void decode(DType dtype, const std::byte* bytes, std::span<float> values) {
  if (dtype == DType::fp32) {
    if (!values.empty()) std::memcpy(values.data(), bytes, values.size_bytes());
    return;
  }
  for (float& value : values) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    value = static_cast<float>(reference::decode16(format_of(dtype), bits));
    bytes += sizeof bits;
  }
}

}  // namespace vparity::harness
