// The gradient of one row of one shard. Included once per target.
#if defined(VPARITY_CPU_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_BACKWARD_INL_H_
#undef VPARITY_CPU_BACKWARD_INL_H_
#else
#define VPARITY_CPU_BACKWARD_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "host/simd/exp-inl.h"
#include "host/simd/row_kernels.h"
#include "host/simd/softcap-inl.h"
#include "host/simd/storage-inl.h"
#include "row/gradient.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns whose softcap is computed together; the buffers stay in the L1 cache.
constexpr std::size_t kSoftcapBlock = 1024;

/// Kinds of coefficients of a row. `plain`: finite, without a factor and without smoothing, as most
/// are; then p = 0 needs no selection, and no result is NaN.
enum class Coefficients { plain, general, with_factor };

/// grad_x of a row without the one-hot part (semantics 3, rules 4 and 5), vector by vector.
/// `kDivide` is false for a temperature of 1.
template <bool kDivide, Coefficients kCoefficients>
class Differential {
 public:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;

  static ScaledCoefficients CoefficientsOf(const RowGradient& row, float temperature) {
    return exponential_coefficients(row, temperature, false);
  }

  HWY_INLINE Differential(const RowGradient& row, const ScaledCoefficients& coefficients,
                          float temperature)
      : max_(hn::Set(D(), row.max)),
        a_(hn::Set(D(), coefficients.a)),
        b_(hn::Set(D(), coefficients.b)),
        smoothing_(hn::Set(D(), coefficients.d)),
        scale0_(hn::Set(D(), coefficients.scale[0])),
        scale1_(hn::Set(D(), coefficients.scale[1])),
        temperature_(hn::Set(D(), temperature)) {}

  /// The gradient at x, with f(x) = x.
  HWY_INLINE V operator()(V x) const { return Scaled(ByCapped(x)); }
  /// The gradient at x, from f(x) and f'(x).
  HWY_INLINE V operator()(V f, V slope) const { return Scaled(hn::Mul(ByCapped(f), slope)); }

  static HWY_INLINE void Softcap(const float* x, std::size_t padded, float softcap, float* f,
                                 float* slope) {
    SoftcapBlock(x, padded, softcap, f, slope);
  }

  /// Any NaN and any zero are allowed.
  template <DType kType>
  static HWY_INLINE V Canonical(V g) {
    return g;
  }
  using CanonicalBits =
      std::conditional_t<kCoefficients == Coefficients::plain, KeepBitsOfNumbers, KeepBits>;

 private:
  /// From f(x), without the coefficients' factor.
  HWY_INLINE V ByCapped(V f) const {
    const D d;
    auto z = hn::Sub(f, max_);
    if constexpr (kDivide) z = hn::Div(z, temperature_);
    z = ClampToExpDomain(d, z);
    const auto exp = Exp(d, z);
    const auto weight = hn::MulAdd(b_, z, a_);
    if constexpr (kCoefficients == Coefficients::plain) {
      return hn::MulAdd(exp, weight, hn::Zero(d));  // not Mul: +0 also where the weight is negative
    }
    // p = 0 is selected, not multiplied: an infinite upstream makes A infinite.
    const auto from_p = hn::IfThenElseZero(hn::Gt(exp, hn::Zero(d)), hn::Mul(exp, weight));
    const auto valid = hn::Gt(f, hn::Set(d, -HUGE_VALF));
    return hn::Add(from_p, hn::IfThenElseZero(valid, smoothing_));
  }

  HWY_INLINE V Scaled(V g) const {
    if constexpr (kCoefficients != Coefficients::with_factor) return g;
    return hn::Mul(hn::Mul(g, scale0_), scale1_);
  }

  V max_, a_, b_, smoothing_, scale0_, scale1_, temperature_;
};

/// Columns from `address` to the next cache line, if its elements are aligned.
template <DType kType>
std::size_t ColumnsToCacheLine(const std::byte* address) {
  return (kCacheLine - MisalignedBytes(address)) % kCacheLine / size_of(kType);
}

/// Writes one row's gradient without its one-hots, from logits of type kLogits to memory of type
/// kGradient.
template <DType kLogits, DType kGradient, class Derivative>
class RowWriter {
 public:
  using D = hn::ScalableTag<float>;

  HWY_INLINE RowWriter(const Derivative& derivative, bool streamed)
      : derivative_(derivative), streamed_(streamed) {}

  /// All columns of one row, with f(x) = x.
  HWY_INLINE void Write(const std::byte* logits, std::size_t columns, std::byte* gradient) const {
    const std::size_t head =
        streamed_ ? HWY_MIN(ColumnsToCacheLine<kGradient>(gradient), columns) : 0;
    const std::size_t pair = 2 * hn::Lanes(D());
    const std::size_t whole = head + (columns - head) / pair * pair;
    WriteFew(logits, 0, head, gradient);
    if (streamed_ && MisalignedBytes(gradient + head * size_of(kGradient)) == 0) {
      WritePairs<Store::streamed>(logits, head, whole, gradient);
    } else {
      WritePairs<Store::cached>(logits, head, whole, gradient);
    }
    WriteFew(logits, whole, columns, gradient);
  }

  /// All columns of one row, with a softcap.
  void WriteCapped(const std::byte* logits, std::size_t columns, float softcap,
                   std::byte* gradient) const {
    const D d;
    HWY_ALIGN float f[kSoftcapBlock];
    HWY_ALIGN float slope[kSoftcapBlock];
    for (std::size_t begin = 0; begin < columns; begin += kSoftcapBlock) {
      const std::size_t count = HWY_MIN(kSoftcapBlock, columns - begin);
      const std::size_t padded = PaddedToVectors(d, count, 1);
      DecodeBlock<kLogits>(d, logits + begin * size_of(kLogits), count, padded, f);
      Derivative::Softcap(f, padded, softcap, f, slope);
      for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
        hn::Store(Canonical(derivative_(hn::Load(d, f + i), hn::Load(d, slope + i))), d, f + i);
      }
      EncodeBlock<kGradient>(d, f, count, gradient + begin * size_of(kGradient));
    }
  }

 private:
  static HWY_INLINE hn::Vec<D> Canonical(hn::Vec<D> g) {
    return Derivative::template Canonical<kGradient>(g);
  }

  /// Columns [begin, end), whole pairs of vectors.
  template <Store kStore>
  HWY_INLINE void WritePairs(const std::byte* logits, std::size_t begin, std::size_t end,
                             std::byte* gradient) const {
    const D d;
    const std::size_t pair = 2 * hn::Lanes(d);
    for (std::size_t i = begin; i < end; i += pair) {
      const std::byte* const from = logits + i * size_of(kLogits);
      PrefetchAhead(from, pair * size_of(kLogits));
      if constexpr (kStore == Store::streamed) {
        PrefetchPage(gradient + i * size_of(kGradient), pair * size_of(kGradient), 8192);
      }
      const Pair<D> x =
          kLogits == kGradient ? LoadPair<kLogits>(d, from) : LoadInOrder<kLogits>(d, from);
      Pair<D> g{derivative_(x.first), derivative_(x.second)};
      if constexpr (kGradient == DType::fp32 || HWY_TARGET == HWY_SCALAR) {
        g = {Canonical(g.first), Canonical(g.second)};
      }
      StorePair<kGradient, kStore, typename Derivative::CanonicalBits>(
          d, g, gradient + i * size_of(kGradient));
    }
  }

  /// Columns [begin, end), less than a vector or two.
  void WriteFew(const std::byte* logits, std::size_t begin, std::size_t end,
                std::byte* gradient) const {
    const D d;
    HWY_ALIGN float x[hn::MaxLanes(D())];
    for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
      const std::size_t count = HWY_MIN(hn::Lanes(d), end - i);
      DecodeBlock<kLogits>(d, logits + i * size_of(kLogits), count, hn::Lanes(d), x);
      hn::Store(Canonical(derivative_(hn::Load(d, x))), d, x);
      EncodeBlock<kGradient>(d, x, count, gradient + i * size_of(kGradient));
    }
  }

  const Derivative& derivative_;
  bool streamed_;
};

// `Derivative` below is Differential or its reproducible form.

template <template <bool, Coefficients> class Derivative, DType kLogits, DType kGradient,
          bool kDivide, Coefficients kCoefficients>
void WriteRow(const std::byte* logits, std::size_t columns, const Transform& transform,
              const RowGradient& row, const ScaledCoefficients& coefficients, bool streamed,
              std::byte* gradient) {
  const Derivative<kDivide, kCoefficients> derivative(row, coefficients, transform.temperature);
  const RowWriter<kLogits, kGradient, decltype(derivative)> writer(derivative, streamed);
  if (transform.softcap > 0) {
    writer.WriteCapped(logits, columns, transform.softcap, gradient);
  } else {
    writer.Write(logits, columns, gradient);
  }
}

template <template <bool, Coefficients> class Derivative, DType kLogits, DType kGradient,
          bool kDivide>
auto RowWriterFor(const ScaledCoefficients& coefficients) {
  using enum Coefficients;
  if (coefficients.scaled()) return WriteRow<Derivative, kLogits, kGradient, kDivide, with_factor>;
  if constexpr (!Derivative<kDivide, plain>::CanonicalBits::kMayBeNan) {
    if (coefficients.plain()) return WriteRow<Derivative, kLogits, kGradient, kDivide, plain>;
  }
  return WriteRow<Derivative, kLogits, kGradient, kDivide, general>;
}

/// The gradients at a row's targets, in the order of `one_hots`.
template <DType kLogits>
void DifferentiateOneHots(const std::byte* logits, const Transform& transform,
                          const RowGradient& row, std::span<const OneHot> one_hots,
                          std::vector<float>& gradients) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float x[hn::MaxLanes(d)];
  gradients.clear();
  for (const OneHot& target : one_hots) {
    DecodeBlock<kLogits>(d, logits + target.column * size_of(kLogits), 1, 1, x);
    gradients.push_back(static_cast<float>(
        one_hot_gradient(row, transform, x[0], apply(transform, x[0]), target.weight)));
  }
}

template <class Derivative, DType kGradient>
void WriteOneHots(std::span<const OneHot> one_hots, const std::vector<float>& gradients,
                  std::byte* to) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float gradient[hn::MaxLanes(d)] = {};
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    gradient[0] = gradients[i];
    hn::Store(Derivative::template Canonical<kGradient>(hn::Load(d, gradient)), d, gradient);
    EncodeBlock<kGradient>(d, gradient, 1, to + one_hots[i].column * size_of(kGradient));
  }
}

template <template <bool, Coefficients> class Derivative, DType kLogits, DType kGradient>
void BackwardRow(const std::byte* logits, std::size_t columns, const Transform& transform,
                 const RowGradient& row, std::span<const OneHot> one_hots, bool streamed,
                 std::vector<float>& at_targets, std::byte* gradient) {
  using Any = Derivative<false, Coefficients::general>;
  const ScaledCoefficients coefficients = Any::CoefficientsOf(row, transform.temperature);
  // First, because in place their logits are overwritten.
  DifferentiateOneHots<kLogits>(logits, transform, row, one_hots, at_targets);
  const auto write = transform.temperature == 1.0F
                         ? RowWriterFor<Derivative, kLogits, kGradient, false>(coefficients)
                         : RowWriterFor<Derivative, kLogits, kGradient, true>(coefficients);
  write(logits, columns, transform, row, coefficients, streamed, gradient);
  WriteOneHots<Any, kGradient>(one_hots, at_targets, gradient);
}

/// NaN in `columns` columns.
template <DType kGradient>
void FillNan(std::size_t columns, std::byte* gradient) {
  const hn::ScalableTag<float> d;
  constexpr std::size_t kNanBlock = 1024;
  HWY_ALIGN float nan[kNanBlock];
  const std::size_t padded = PaddedToVectors(d, HWY_MIN(kNanBlock, columns), 1);
  for (std::size_t i = 0; i < padded; ++i) nan[i] = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t begin = 0; begin < columns; begin += kNanBlock) {
    EncodeBlock<kGradient>(d, nan, HWY_MIN(kNanBlock, columns - begin),
                           gradient + begin * size_of(kGradient));
  }
}

/// Removes the one-hots of a row from the front of `one_hots`, which is sorted by row.
inline std::span<const OneHot> TakeOneHots(std::span<const OneHot>& one_hots, std::int64_t row) {
  std::size_t count = 0;
  while (count < one_hots.size() && one_hots[count].row == row) ++count;
  const std::span<const OneHot> taken = one_hots.first(count);
  one_hots = one_hots.subspan(count);
  return taken;
}

/// +0 in all columns from `first` on.
inline void FillZero(const MutableVocabShard& gradient, std::int64_t row, std::size_t first) {
  const std::size_t size = size_of(gradient.rows().dtype);
  const auto width = static_cast<std::size_t>(gradient.columns().width);
  std::memset(gradient.rows().row(row) + first * size, 0, (width - first) * size);
}

/// Row `t`, of any kind, with its padding.
template <template <bool, Coefficients> class Derivative, DType kLogits, DType kGradient>
void BackwardRowOfAnyKind(const VocabShard& logits, const Transform& transform, std::int64_t t,
                          const RowGradient& row, std::span<const OneHot> one_hots,
                          const MutableVocabShard& gradient, bool streamed,
                          std::vector<float>& at_targets) {
  const auto valid = static_cast<std::size_t>(logits.columns().valid());
  std::byte* const to = gradient.rows().row(t);
  if (row.kind == RowGradient::Kind::formula) {
    BackwardRow<Derivative, kLogits, kGradient>(logits.rows().row(t), valid, transform, row,
                                                one_hots, streamed, at_targets, to);
  } else if (row.kind == RowGradient::Kind::nan) {
    FillNan<kGradient>(valid, to);
  }
  FillZero(gradient, t, row.kind == RowGradient::Kind::zero ? 0 : valid);
}

template <template <bool, Coefficients> class Derivative, DType kLogits, DType kGradient>
void BackwardRowsOf(const VocabShard& logits, const Transform& transform,
                    std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                    const MutableVocabShard& gradient, bool streamed) {
  if (logits.columns().width == 0) return;  // there may be no memory
  std::vector<float> at_targets;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto row = static_cast<std::int64_t>(t);
    BackwardRowOfAnyKind<Derivative, kLogits, kGradient>(logits, transform, row, rows[t],
                                                         TakeOneHots(one_hots, row), gradient,
                                                         streamed, at_targets);
  }
  if (streamed) hwy::FlushStream();  // before anyone is told that the gradient is there
}

template <template <bool, Coefficients> class Derivative, DType kLogits>
void BackwardRowsFrom(const VocabShard& logits, const Transform& transform,
                      std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                      const MutableVocabShard& gradient, bool streamed) {
  if (gradient.rows().dtype == kLogits) {
    BackwardRowsOf<Derivative, kLogits, kLogits>(logits, transform, rows, one_hots, gradient,
                                                 streamed);
  } else {
    BackwardRowsOf<Derivative, kLogits, DType::fp32>(logits, transform, rows, one_hots, gradient,
                                                     streamed);
  }
}

template <template <bool, Coefficients> class Derivative>
void BackwardRows(const VocabShard& logits, const Transform& transform,
                  std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                  const MutableVocabShard& gradient, bool streamed) {
  switch (logits.rows().dtype) {
    case DType::fp32:
      return BackwardRowsFrom<Derivative, DType::fp32>(logits, transform, rows, one_hots, gradient,
                                                       streamed);
    case DType::bf16:
      return BackwardRowsFrom<Derivative, DType::bf16>(logits, transform, rows, one_hots, gradient,
                                                       streamed);
    case DType::fp16:
      return BackwardRowsFrom<Derivative, DType::fp16>(logits, transform, rows, one_hots, gradient,
                                                       streamed);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_BACKWARD_INL_H_
