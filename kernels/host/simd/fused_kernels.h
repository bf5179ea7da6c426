// Sums of some rows and the gradient of the previous ones in one pass, with one exponential per
// element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "host/simd/row_kernels.h"

namespace vparity::cpu {

/// e^((f(x_v) - reference) / tau) of one row. Every block of columns has its own reference, the
/// largest f(x) up to its end.
struct RowExponentials {
  float* values;      ///< one per column, at a cache line
  float* references;  ///< one per block
};

/// The exponentials of some rows, between their sums and their gradient. The memory is kept from
/// call to call: the pages of new memory would have to be faulted in each time.
class Exponentials {
 public:
  /// Exponentials that were kept are lost.
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

  RowExponentials row(std::size_t t) {
    float* const values = first_ + t * (columns_ + references_);
    return {values, values + columns_};
  }

 private:
  static constexpr std::size_t line = 16;  // floats
  static constexpr std::size_t largest_block = 1024, smallest_block = 64;

  std::size_t columns_ = 0, references_ = 0;
  std::vector<float> memory_;
  float* first_ = nullptr;
};

/// Rows whose exponentials have been kept, and the arguments of backward_rows for them.
struct PreviousRows {
  VocabShard logits;
  std::span<const RowGradient> rows;
  std::span<const OneHot> one_hots;
  MutableVocabShard gradient;
  bool streamed;
};

/// forward_rows of `next`, without softcap and label smoothing, and backward_rows of `previous`:
/// one read of the former, one write of the latter. Each row of `next` keeps its exponentials in
/// the place of a row of `previous`, after these have become the gradient. A row of `previous`
/// whose gradient is not its exponentials times a coefficient (B is not 0, or an upstream is not
/// finite or far out of scale) is read and exponentiated again. The sums have the bits of
/// forward_rows. The gradient does not have the bits of backward_rows, because e^z is rounded once
/// more. Neither depends on `streamed` or on what else is computed. `exponentials` has room for the
/// rows of both.
void forward_and_backward_rows(const VocabShard& next, const Transform& transform,
                               std::span<Partial<RowSums>> sums, const PreviousRows& previous,
                               Exponentials& exponentials);

}  // namespace vparity::cpu
