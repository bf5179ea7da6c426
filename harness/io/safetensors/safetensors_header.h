// The JSON header of a safetensors file (https://github.com/huggingface/safetensors, "Format"):
//   {NAME: {"dtype": "F32", "shape": [4, 8], "data_offsets": [BEGIN, END]}, ..., "__metadata__":
//   {KEY: TEXT}}
// Offsets count from the end of the header; the tensors cover what follows it without gap or
// overlap.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/io/safetensors/tensor.h"

namespace vparity::harness {

/// Bytes of the little-endian length that stands before the header.
inline constexpr std::int64_t safetensors_length_bytes = 8;

/// The format's own limit on the header's length.
inline constexpr std::int64_t safetensors_max_header_bytes = 100'000'000;

/// A tensor and its bytes, [begin, end) after the header.
struct PlacedTensor {
  TensorInfo info;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The tensors of a header in the order of their data, which has `data_bytes` bytes. Throws
/// UsageError, naming `file` and the tensor, unless the header says exactly what the format asks.
std::vector<PlacedTensor> parse_safetensors_header(const std::string& file, std::string_view header,
                                                   std::int64_t data_bytes);

/// The tensors laid out one after the other in the order given.
std::vector<PlacedTensor> place_tensors(const std::vector<TensorInfo>& tensors);

/// Length and header as they stand in a file, padded with spaces so that the data starts at a
/// multiple of 8.
std::string format_safetensors_header(const std::vector<PlacedTensor>& tensors);

}  // namespace vparity::harness
