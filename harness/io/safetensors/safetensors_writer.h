// Writing a safetensors file piece by piece, by one process or by several that each hold a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/io/file_descriptor.h"
#include "harness/io/safetensors/tensor.h"

namespace vparity::harness {

/// All writers of one file are given the same tensors; each element is written by one of them, the
/// header by one. Failures throw std::system_error naming the file.
class SafetensorsWriter {
 public:
  /// Opens an existing file (see reports::TemporaryFile).
  SafetensorsWriter(const std::string& path, const std::vector<TensorInfo>& tensors);

  /// The header, and the file's full size: what nobody writes afterwards is zero.
  void write_header();

  /// Writes from flat element `first` of a tensor on. Callable from several threads at once.
  void write(std::string_view tensor, std::int64_t first, std::span<const std::byte> elements);

  /// Makes what this object wrote durable.
  void sync() { file_.sync(); }

 private:
  struct Place {
    std::int64_t offset = 0;  ///< of the tensor, from the start of the file
    std::int64_t element_bytes = 0;
  };

  reports::FileDescriptor file_;
  std::string header_;
  std::int64_t file_bytes_ = 0;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace vparity::harness
