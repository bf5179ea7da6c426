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

#include "harness/eval/tensor.h"

namespace vparity::harness {

/// All writers of one file are given the same tensors; each element is written by one of them, the
/// header by one. Failures throw std::system_error naming the file.
class SafetensorsWriter {
 public:
  /// Opens an existing file (see TemporaryFile).
  SafetensorsWriter(std::string path, const std::vector<TensorInfo>& tensors);
  ~SafetensorsWriter();
  SafetensorsWriter(const SafetensorsWriter&) = delete;
  SafetensorsWriter& operator=(const SafetensorsWriter&) = delete;

  /// The header, and the file's full size: what nobody writes afterwards is zero.
  void write_header() const;

  /// Writes from flat element `first` of a tensor on. Callable from several threads at once.
  void write(std::string_view tensor, std::int64_t first,
             std::span<const std::byte> elements) const;

  /// Makes what this object wrote durable.
  void sync() const;

 private:
  struct Place {
    std::int64_t offset = 0;  ///< of the tensor, from the start of the file
    std::int64_t element_bytes = 0;
  };

  [[noreturn]] void fail(const char* operation) const;
  void write_at(std::int64_t offset, std::span<const std::byte> bytes) const;

  std::string path_;
  std::string header_;
  std::int64_t file_bytes_ = 0;
  std::map<std::string, Place, std::less<>> places_;
  int fd_;
};

}  // namespace vparity::harness
