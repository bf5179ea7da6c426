// Element types and shapes as safetensors files name them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::harness {

/// The format's byte-sized element types.
enum class TensorType : std::uint8_t {
  boolean,
  u8,
  i8,
  f8_e4m3,
  f8_e5m2,
  i16,
  u16,
  f16,
  bf16,
  i32,
  u32,
  f32,
  i64,
  u64,
  f64
};

/// "F32", "BF16", "I64", ...
std::string_view name_of(TensorType type);
std::optional<TensorType> tensor_type_named(std::string_view name);
const std::vector<std::string>& tensor_type_names();

/// Bytes of one element.
std::size_t size_of(TensorType type);

struct TensorInfo {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> shape;  ///< dimensions >= 0; none: a scalar
};

/// Bytes of the whole tensor; nothing if they do not fit 63 bits.
std::optional<std::int64_t> byte_count(const TensorInfo& tensor);

/// "F32 [4, 8]"
std::string describe(const TensorInfo& tensor);

}  // namespace vparity::harness
