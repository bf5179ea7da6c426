// The sums of one row of one shard, whose exponentials are kept, while the exponentials of a
// previous row become its gradient. Included once per target.
#if defined(VPARITY_CPU_FUSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_FUSED_INL_H_
#undef VPARITY_CPU_FUSED_INL_H_
#else
#define VPARITY_CPU_FUSED_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "host/simd/backward-inl.h"
#include "host/simd/forward-inl.h"
#include "host/simd/fused_kernels.h"
#include "host/simd/storage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Exponentials are kept in the order of the columns, whatever the order in which LoadPair gives
// them.
template <DType kType>
HWY_INLINE void KeepPair(const Pair<FloatTag>& p, float* to) {
  const FloatTag d;
  if constexpr (kType == DType::bf16) {
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX3
    // Highway takes three times as many instructions.
    const __m512i lower = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i upper = _mm512_add_epi32(lower, _mm512_set1_epi32(8));
    _mm512_storeu_ps(to, _mm512_permutex2var_ps(p.first.raw, lower, p.second.raw));
    _mm512_storeu_ps(to + 16, _mm512_permutex2var_ps(p.first.raw, upper, p.second.raw));
#else
    hn::StoreInterleaved2(p.first, p.second, d, to);
#endif
  } else {
    hn::StoreU(p.first, d, to);
    hn::StoreU(p.second, d, to + hn::Lanes(d));
  }
}

template <DType kType>
HWY_INLINE Pair<FloatTag> KeptPair(const float* from) {
  const FloatTag d;
  if constexpr (kType == DType::bf16) {
    Pair<FloatTag> p{hn::Zero(d), hn::Zero(d)};
    hn::LoadInterleaved2(d, from, p.first, p.second);
    return p;
  } else {
    return {hn::LoadU(d, from), hn::LoadU(d, from + hn::Lanes(d))};
  }
}

/// Gradients from exponentials. Not by Mul: the result is +0 also where the factor is negative.
HWY_INLINE hn::Vec<FloatTag> TimesFactor(hn::Vec<FloatTag> exponential, hn::Vec<FloatTag> factor) {
  return hn::MulAdd(exponential, factor, hn::Zero(FloatTag()));
}

/// Keeps the exponentials of a block.
struct KeepExponentials {
  float* to;

  template <DType kType>
  HWY_INLINE void Take(const Pair<FloatTag>& first, const Pair<FloatTag>& second) {
    const std::size_t pair = 2 * hn::Lanes(FloatTag());
    KeepPair<kType>(first, to);
    KeepPair<kType>(second, to + pair);
    to += 2 * pair;
  }
};

/// Keeps the exponentials of a block. Before, it writes a gradient from the exponentials of the
/// previous row that stand there, or a few columns after.
template <DType kGradient, Store kStore>
struct WritePreviousAndKeep {
  KeepExponentials keep;
  const float* from;
  hn::Vec<FloatTag> factor;
  std::byte* gradient;

  template <DType kType>
  HWY_INLINE void Take(const Pair<FloatTag>& first, const Pair<FloatTag>& second) {
    const std::size_t pair = 2 * hn::Lanes(FloatTag());
    if constexpr (kStore == Store::streamed) {
      PrefetchPage(gradient, 2 * pair * size_of(kGradient), 8192);
    }
    const Pair<FloatTag> old_first = KeptPair<kGradient>(from);
    const Pair<FloatTag> old_second = KeptPair<kGradient>(from + pair);
    keep.template Take<kType>(first, second);
    WritePair(old_first, gradient);
    WritePair(old_second, gradient + pair * size_of(kGradient));
    from += 2 * pair;
    gradient += 2 * pair * size_of(kGradient);
  }

 private:
  HWY_INLINE void WritePair(const Pair<FloatTag>& p, std::byte* to) const {
    StorePair<kGradient, kStore, KeepBitsOfNumbers>(
        FloatTag(), {TimesFactor(p.first, factor), TimesFactor(p.second, factor)}, to);
  }
};

/// A policy (see SumsOnly) that keeps the exponentials of the row.
class ExponentialKeeper {
 public:
  static constexpr bool kWritesPreviousRow = false;

  explicit ExponentialKeeper(RowExponentials to) : to_(to) {}

  KeepExponentials ForBlock() const { return {to_.values + begin_}; }
  void EndBlock(float reference) {
    *to_.references++ = reference;
    begin_ += kBlock();
  }

 protected:
  static std::size_t kBlock() { return kForwardBlockVectors * hn::Lanes(FloatTag()); }

  RowExponentials to_;
  std::size_t begin_ = 0;  ///< of the block
};

/// Writes the gradient of a row, without its one-hot part, from its exponentials: each is
/// multiplied by the factor of its block.
template <DType kGradient>
class GradientFromExponentials {
 public:
  /// `factors` is memory to use.
  GradientFromExponentials(const RowExponentials& kept, std::size_t columns, const RowGradient& row,
                           const ScaledCoefficients& coefficients, float temperature,
                           std::vector<float>& factors, std::byte* gradient)
      : exponentials_(kept.values), columns_(columns), factors_(factors), gradient_(gradient) {
    factors_.resize((columns + Block() - 1) / Block());
    for (std::size_t b = 0; b < factors_.size(); ++b) {
      const float reference = kept.references[b];
      const bool same = b > 0 && reference == kept.references[b - 1];  // as most are
      factors_[b] = same
                        ? factors_[b - 1]
                        : static_cast<float>(coefficients.a *
                                             std::exp((double{reference} - row.max) / temperature));
    }
  }

  /// Columns [begin, end).
  void Write(std::size_t begin, std::size_t end) const {
    while (begin < end) {
      const std::size_t b = begin / Block();
      const std::size_t until = HWY_MIN((b + 1) * Block(), end);
      WriteInBlock(begin, until, factors_[b]);
      begin = until;
    }
  }

  const float* exponentials() const { return exponentials_; }
  std::size_t columns() const { return columns_; }
  std::byte* at(std::size_t column) const { return gradient_ + column * size_of(kGradient); }
  float factor_at(std::size_t column) const { return factors_[column / Block()]; }

 private:
  static std::size_t Block() { return kForwardBlockVectors * hn::Lanes(FloatTag()); }

  void WriteInBlock(std::size_t begin, std::size_t end, float factor) const {
    const FloatTag d;
    const auto factors = hn::Set(d, factor);
    HWY_ALIGN float g[hn::MaxLanes(FloatTag())];
    std::size_t i = begin;
    for (; i + hn::Lanes(d) <= end; i += hn::Lanes(d)) {
      StoreRounded<kGradient, Store::cached>(
          d, TimesFactor(hn::LoadU(d, exponentials_ + i), factors), at(i));
    }
    for (; i < end; ++i) {
      hn::Store(TimesFactor(hn::Set(d, exponentials_[i]), factors), d, g);
      EncodeBlock<kGradient>(d, g, 1, at(i));
    }
  }

  const float* exponentials_;
  std::size_t columns_;
  std::vector<float>& factors_;
  std::byte* gradient_;
};

/// A policy that keeps the exponentials of the row in the place of those of the previous row, and
/// writes the gradient of that row first. The gradient is written up to some columns after the
/// block, so that the addresses are those of whole cache lines.
template <DType kGradient>
class PreviousRowWriter : public ExponentialKeeper {
 public:
  static constexpr bool kWritesPreviousRow = true;

  PreviousRowWriter(RowExponentials place, const GradientFromExponentials<kGradient>& previous,
                    bool streamed)
      : ExponentialKeeper(place), previous_(previous) {
    if (!streamed) return;
    const std::size_t ahead =
        HWY_MIN(ColumnsToCacheLine<kGradient>(previous.at(0)), previous.columns());
    streamed_ = MisalignedBytes(previous.at(ahead)) == 0;  // never, if elements are not aligned
    if (!streamed_) return;
    ahead_ = ahead;
    previous_.Write(0, ahead_);
  }

  bool CanStream() const { return streamed_ && CanStore(); }
  /// Whether all columns to be written exist and have one factor.
  bool CanStore() const {
    const std::size_t end = begin_ + ahead_ + kBlock();
    return end <= previous_.columns() &&
           previous_.factor_at(begin_) == previous_.factor_at(end - 1);
  }

  template <Store kStore>
  WritePreviousAndKeep<kGradient, kStore> Write() const {
    const std::size_t first = begin_ + ahead_;
    return {ForBlock(), previous_.exponentials() + first,
            hn::Set(FloatTag(), previous_.factor_at(begin_)), previous_.at(first)};
  }
  void WriteFirst() const {
    const std::size_t columns = previous_.columns();
    previous_.Write(HWY_MIN(begin_ + ahead_, columns),
                    HWY_MIN(begin_ + ahead_ + kBlock(), columns));
  }

 private:
  const GradientFromExponentials<kGradient>& previous_;
  std::size_t ahead_ = 0;
  bool streamed_ = false;
};

template <DType kLogits, DType kGradient>
class FusedRows {
 public:
  using Derivative = Differential<false, Coefficients::general>;

  FusedRows(const VocabShard& next, const Transform& transform, std::span<Partial<RowSums>> sums,
            const PreviousRows& previous, Exponentials& exponentials)
      : next_(next),
        transform_(transform),
        sums_(sums),
        previous_(previous),
        one_hots_(previous.one_hots),
        exponentials_(exponentials),
        columns_(static_cast<std::size_t>(next.columns().valid())),
        forward_(transform, false) {}

  void operator()() {
    for (std::size_t t = 0; t < std::max(sums_.size(), previous_.rows.size()); ++t) PassOver(t);
    if (previous_.streamed) hwy::FlushStream();  // before anyone is told that the gradient is there
  }

 private:
  void PassOver(std::size_t t) {
    ExponentialKeeper keeper(exponentials_.row(t));
    if (t >= previous_.rows.size() || next_.columns().width == 0) return Sum(t, keeper);
    const auto row = static_cast<std::int64_t>(t);
    const auto one_hots = TakeOneHots(one_hots_, row);
    const RowGradient& gradient = previous_.rows[t];
    const auto coefficients = Derivative::CoefficientsOf(gradient, transform_.temperature);
    if (gradient.kind == RowGradient::Kind::formula && coefficients.plain() &&
        coefficients.b == 0) {
      return WriteAndSum(t, coefficients, one_hots);
    }
    // By a call through the dispatch: this source need not compile the backward pass again.
    backward_row(previous_.logits, transform_, row, gradient, one_hots, previous_.gradient,
                 previous_.streamed);
    Sum(t, keeper);
  }

  void WriteAndSum(std::size_t t, const ScaledCoefficients& coefficients,
                   std::span<const OneHot> one_hots) {
    const auto row = static_cast<std::int64_t>(t);
    const RowGradient& gradient = previous_.rows[t];
    std::byte* const to = previous_.gradient.rows().row(row);
    // First, because in place their logits are overwritten.
    DifferentiateOneHots<kLogits>(previous_.logits.rows().row(row), transform_, gradient, one_hots,
                                  at_targets_);
    const GradientFromExponentials<kGradient> previous(exponentials_.row(t), columns_, gradient,
                                                       coefficients, transform_.temperature,
                                                       factors_, to);
    if (t < sums_.size()) {
      PreviousRowWriter<kGradient> writer(exponentials_.row(t), previous, previous_.streamed);
      Sum(t, writer);
    } else {
      previous.Write(0, columns_);
    }
    WriteOneHots<Derivative, kGradient>(one_hots, at_targets_, to);
    FillZero(previous_.gradient, row, columns_);
  }

  template <class Policy>
  void Sum(std::size_t t, Policy& policy) {
    if (t >= sums_.size()) return;
    // There may be no memory.
    const std::byte* const row =
        columns_ > 0 ? next_.rows().row(static_cast<std::int64_t>(t)) : nullptr;
    sums_[t].value = forward_.Sum(WholeRow<kLogits>(row), columns_, policy);
  }

  const VocabShard& next_;
  const Transform& transform_;
  std::span<Partial<RowSums>> sums_;
  const PreviousRows& previous_;
  std::span<const OneHot> one_hots_;
  Exponentials& exponentials_;
  std::size_t columns_;
  RowForward<kLogits> forward_;
  std::vector<float> at_targets_, factors_;
};

template <DType kLogits>
void FusedRowsFrom(const VocabShard& next, const Transform& transform,
                   std::span<Partial<RowSums>> sums, const PreviousRows& previous,
                   Exponentials& exponentials) {
  if (previous.gradient.rows().dtype == kLogits) {
    FusedRows<kLogits, kLogits>(next, transform, sums, previous, exponentials)();
  } else {
    FusedRows<kLogits, DType::fp32>(next, transform, sums, previous, exponentials)();
  }
}

inline void ForwardAndBackwardRows(const VocabShard& next, const Transform& transform,
                                   std::span<Partial<RowSums>> sums, const PreviousRows& previous,
                                   Exponentials& exponentials) {
  switch (next.rows().dtype) {
    case DType::fp32:
      return FusedRowsFrom<DType::fp32>(next, transform, sums, previous, exponentials);
    case DType::bf16:
      return FusedRowsFrom<DType::bf16>(next, transform, sums, previous, exponentials);
    case DType::fp16:
      return FusedRowsFrom<DType::fp16>(next, transform, sums, previous, exponentials);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_FUSED_INL_H_
