// Reading a safetensors file through a memory mapping: a rank touches only the pages it looks at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/io/safetensors/mapped_file.h"
#include "harness/io/safetensors/tensor.h"

namespace vparity::harness {

/// One tensor of an open file; valid as long as the file is.
struct TensorView {
  TensorInfo info;
  std::span<const std::byte> bytes;

  /// Element `index` of the flat tensor, whose type has T's size. The data need not be aligned.
  template <class T>
  T at(std::int64_t index) const {
    T value;
    std::memcpy(&value, bytes.data() + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
  }
};

class SafetensorsFile {
 public:
  /// Throws UsageError naming the file, the tensor and what would be right. Nothing is allocated by
  /// a number from the file before that number was checked against the file's size.
  explicit SafetensorsFile(const std::string& path);

  const std::string& path() const { return path_; }
  /// In the order of their data.
  const std::vector<TensorView>& tensors() const { return tensors_; }
  /// nullptr if there is none of that name.
  const TensorView* find(std::string_view name) const;

 private:
  std::string path_;
  MappedFile file_;
  std::vector<TensorView> tensors_;
};

}  // namespace vparity::harness
