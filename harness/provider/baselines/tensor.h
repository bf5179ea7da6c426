// fp32 matrices as the baselines keep them between their passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace vparity::harness::baselines {

/// Rows of fp32, not owned.
struct FloatRows {
  float* data = nullptr;
  std::int64_t columns = 0;
  std::int64_t row_stride = 0;

  std::span<float> row(std::int64_t t) const {
    return {data + t * row_stride, static_cast<std::size_t>(columns)};
  }
};

/// Memory that is overwritten as a whole, hence not cleared. It is kept from one call to the next,
/// as a framework's caching allocator does, so that only the first one pays for its pages.
template <class T>
class Buffer {
 public:
  std::span<T> of_size(std::size_t count) {
    if (count > capacity_) {
      memory_ = std::make_unique_for_overwrite<T[]>(count);
      capacity_ = count;
    }
    return {memory_.get(), count};
  }

 private:
  std::unique_ptr<T[]> memory_;
  std::size_t capacity_ = 0;
};

/// A matrix that owns its memory; what it held is lost when its shape changes.
class Tensor {
 public:
  void reshape(std::int64_t rows, std::int64_t columns) {
    rows_ = {buffer_.of_size(static_cast<std::size_t>(rows * columns)).data(), columns, columns};
  }

  const FloatRows& rows() const { return rows_; }
  std::span<float> row(std::int64_t t) const { return rows_.row(t); }

 private:
  Buffer<float> buffer_;
  FloatRows rows_;
};

}  // namespace vparity::harness::baselines
