// The terms e^z of some rows, between their sums and their gradient.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vparity::cpu {

/// e^((f(x_v) - reference) / tau) of one row; every block of columns has its own reference, the
/// largest f(x) up to its end.
struct KeptRow {
  float* terms;       ///< one per column, at a cache line
  float* references;  ///< one per block
};

/// Rows of terms in memory that is kept from call to call, or its pages would be new every time.
class KeptTerms {
 public:
  /// What was kept is lost.
  void resize(std::int64_t rows, std::int64_t columns) {
    // Blocks are whole: at most `largest_block` columns, at least `smallest_block`.
    columns_ = (static_cast<std::size_t>(columns) / largest_block + 1) * largest_block;
    references_ = columns_ / smallest_block;
    const std::size_t floats = static_cast<std::size_t>(rows) * (columns_ + references_) + line;
    if (memory_.size() < floats) {
      memory_ = {};  // what it held is not copied
      memory_.resize(floats);
    }
    void* at = memory_.data();
    std::size_t space = memory_.size() * sizeof(float);
    first_ = static_cast<float*>(std::align(line * sizeof(float), sizeof(float), at, space));
  }

  KeptRow row(std::size_t t) {
    float* const terms = first_ + t * (columns_ + references_);
    return {terms, terms + columns_};
  }

 private:
  static constexpr std::size_t line = 16;  // floats
  static constexpr std::size_t largest_block = 1024, smallest_block = 64;

  std::size_t columns_ = 0, references_ = 0;
  std::vector<float> memory_;
  float* first_ = nullptr;
};

}  // namespace vparity::cpu
