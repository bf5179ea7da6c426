// Stored elements and the floats they stand for.
#pragma once

#include <cstddef>
#include <span>

#include "reference/storage_format.h"
#include "vparity/dtype.h"

namespace vparity::harness {

/// The storage type as a number format.
constexpr reference::Format format_of(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return reference::Format::fp32;
    case DType::bf16:
      return reference::Format::bf16;
    case DType::fp16:
      return reference::Format::fp16;
  }
  return reference::Format::fp32;
}

/// Rounds each value to the nearest that `dtype` holds, ties to even.
void round_to(DType dtype, std::span<float> values);

/// Stores values that `dtype` holds exactly; bytes.size() == values.size() * size_of(dtype), they
/// need not be aligned.
void encode(DType dtype, std::span<const float> values, std::byte* bytes);

/// Reads stored elements; exact.
void decode(DType dtype, const std::byte* bytes, std::span<float> values);

}  // namespace vparity::harness
