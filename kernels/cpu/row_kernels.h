// The two passes over a shard's logits, vectorised with run-time dispatch (row_kernels.cpp).
// Nothing here communicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vparity/dtype.h"
#include "vparity/placement.h"

namespace vparity::cpu {

/// f(x) and the temperature: z_v = (f(x_v) - F) / tau.
struct Transform {
  float temperature = 1.0F;
  float softcap = 0.0F;  ///< 0: none
  /// By operations that give the same bits on every instruction set (semantics 6).
  bool reproducible = false;

  /// f of one stored logit, the same bits as the vectorised pass gives it.
  float apply(float x) const;
};

/// Sums over one row of one shard (semantics 2). A shard without a valid column is the identity
/// (-inf, 0, 0, 0, 0); a NaN or +inf in a valid column makes `max` NaN.
struct RowSums {
  float max;       ///< F, over this shard
  double s;        ///< sum e^z
  double u;        ///< sum e^z z
  double a;        ///< sum z over valid columns; only if asked for
  std::int32_t n;  ///< valid columns; only if `a` is
};

/// One read of each row of `logits`, whose valid columns alone are looked at; `with_a` asks for
/// `a` and `n`. The result of a row depends on its values and the shard's width only, not on
/// alignment, neighbours or the number of rows. sums.size() == logits.rows().rows.
void forward_rows(const VocabShard& logits, const Transform& transform, bool with_a,
                  std::span<Partial<RowSums>> sums);

/// Consecutive columns of a row that stand together.
struct RowPiece {
  const std::byte* data;
  std::size_t columns;
};

/// The sums of one row of elements of type `dtype` that lies in pieces, with the bits that
/// forward_rows gives it if it stands together.
RowSums forward_row(std::span<const RowPiece> pieces, DType dtype, const Transform& transform,
                    bool with_a);

/// The coefficients of one row's gradient (semantics 3), finished on the caller's side in double,
/// rounded once.
struct RowGradient {
  enum class Kind : std::uint8_t {
    zero,    ///< +0 everywhere (rule 2)
    nan,     ///< NaN in every valid or masked column (rule 3)
    formula  ///< rules 4 and 5
  };
  Kind kind;
  float max;            ///< F
  float sum_minus_one;  ///< s - 1
  double a;             ///< A
  double b;             ///< B
  double d;             ///< D
};

/// The part of a row's gradient that belongs to one id: sum_k g_k [v = id_k] - (1 - eps) g_L [v =
/// label], duplicates already added up. `column` is local to the shard.
struct OneHot {
  std::int64_t row;
  std::int64_t column;
  double weight;
};

/// Whether the gradient should pass by the caches, which spares the read of what it overwrites, a
/// third of all traffic. Not worth it for results that the next reader would find in a cache, and
/// not in place, where that read has just been.
bool worth_streaming(const VocabShard& logits, const MutableVocabShard& gradient);

/// One read of each row of `logits`, one write of each row of `gradient` (all `width` columns;
/// padding +0). `one_hots` is sorted by row and holds no (row, column) twice. In place if gradient
/// and logits share their memory. `streamed` does not change a bit of the result.
void backward_rows(const VocabShard& logits, const Transform& transform,
                   std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                   const MutableVocabShard& gradient, bool streamed);

inline void backward_rows(const VocabShard& logits, const Transform& transform,
                          std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                          const MutableVocabShard& gradient) {
  backward_rows(logits, transform, rows, one_hots, gradient, worth_streaming(logits, gradient));
}

}  // namespace vparity::cpu
