// Storage types of logits and gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vparity {

enum class DType : std::uint8_t { fp32, bf16, fp16 };

/// Bytes of one element.
constexpr std::size_t size_of(DType dtype) { return dtype == DType::fp32 ? 4 : 2; }

/// "fp32", "bf16", "fp16".
constexpr std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return "fp32";
    case DType::bf16:
      return "bf16";
    case DType::fp16:
      return "fp16";
  }
  return "?";
}

}  // namespace vparity
