// The element types of a file that the kernels compute on.
#pragma once

#include <optional>

#include "harness/io/safetensors/tensor.h"
#include "vparity/dtype.h"

namespace vparity::harness {

constexpr TensorType tensor_type_of(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return TensorType::f32;
    case DType::bf16:
      return TensorType::bf16;
    case DType::fp16:
      return TensorType::f16;
  }
  return TensorType::f32;
}

/// Nothing for the types that logits cannot have.
constexpr std::optional<DType> dtype_of(TensorType type) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16})
    if (tensor_type_of(dtype) == type) return dtype;
  return std::nullopt;
}

}  // namespace vparity::harness
