// One row of one shard to its sums and kept terms, while the terms of an earlier row become its
// gradient. Included once per target.
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

// Terms are kept in the order of the columns, however vectors of logits or gradients are dealt.
template <DType kType>
HWY_INLINE void KeepPair(const Pair<FloatTag>& p, float* to) {
  const FloatTag d;
  if constexpr (kType == DType::bf16) {
#if HWY_ARCH_X86 && (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)
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

/// Gradients from terms. Not by Mul: +0 also where the factor is negative.
HWY_INLINE hn::Vec<FloatTag> TimesFactor(hn::Vec<FloatTag> term, hn::Vec<FloatTag> factor) {
  return hn::MulAdd(term, factor, hn::Zero(FloatTag()));
}

/// Keeps the terms of a block.
struct KeepTerms {
  float* to;

  template <DType kType>
  HWY_INLINE void Take(const Pair<FloatTag>& first, const Pair<FloatTag>& second) {
    const std::size_t pair = 2 * hn::Lanes(FloatTag());
    KeepPair<kType>(first, to);
    KeepPair<kType>(second, to + pair);
    to += 2 * pair;
  }
};

/// The same; what stood in their places, or a few columns after them, becomes a gradient before it
/// is overwritten.
template <DType kGradient, Store kStore>
struct WriteAndKeepTerms {
  KeepTerms keep;
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

/// Beside the sums of a row (see NothingBeside): keeps its terms.
class TermKeeper {
 public:
  static constexpr bool kWritesEarlierRow = false;

  explicit TermKeeper(KeptRow to) : to_(to) {}

  KeepTerms Terms() const { return {to_.terms + begin_}; }
  void EndBlock(float reference) {
    *to_.references++ = reference;
    begin_ += kBlock();
  }

 protected:
  static std::size_t kBlock() { return kForwardBlockVectors * hn::Lanes(FloatTag()); }

  KeptRow to_;
  std::size_t begin_ = 0;  ///< of the block
};

/// The gradient of a row, but for its one-hots, from its terms: each times its block's factor.
template <DType kGradient>
class GradientOfTerms {
 public:
  /// `factors` is memory.
  GradientOfTerms(const KeptRow& kept, std::size_t columns, const RowGradient& row,
                  const ScaledCoefficients& coefficients, float temperature,
                  std::vector<float>& factors, std::byte* gradient)
      : terms_(kept.terms), columns_(columns), factors_(factors), gradient_(gradient) {
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

  const float* terms() const { return terms_; }
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
      StoreRounded<kGradient, Store::cached>(d, TimesFactor(hn::LoadU(d, terms_ + i), factors),
                                             at(i));
    }
    for (; i < end; ++i) {
      hn::Store(TimesFactor(hn::Set(d, terms_[i]), factors), d, g);
      EncodeBlock<kGradient>(d, g, 1, at(i));
    }
  }

  const float* terms_;
  std::size_t columns_;
  std::vector<float>& factors_;
  std::byte* gradient_;
};

/// Beside the sums of a row: keeps its terms where those of an earlier row stood, which become its
/// gradient. The gradient is written up to some columns after the block, which makes its addresses
/// those of whole cache lines.
template <DType kGradient>
class EarlierRowWriter : public TermKeeper {
 public:
  static constexpr bool kWritesEarlierRow = true;

  EarlierRowWriter(KeptRow place, const GradientOfTerms<kGradient>& earlier, bool streamed)
      : TermKeeper(place), earlier_(earlier) {
    if (!streamed) return;
    const std::size_t ahead =
        HWY_MIN(ColumnsToCacheLine<kGradient>(earlier.at(0)), earlier.columns());
    streamed_ = MisalignedBytes(earlier.at(ahead)) == 0;  // never, if elements are not aligned
    if (!streamed_) return;
    ahead_ = ahead;
    earlier_.Write(0, ahead_);
  }

  bool CanStream() const { return streamed_ && CanStore(); }
  /// Whether all that is to be written is there and has one factor.
  bool CanStore() const {
    const std::size_t end = begin_ + ahead_ + kBlock();
    return end <= earlier_.columns() && earlier_.factor_at(begin_) == earlier_.factor_at(end - 1);
  }

  template <Store kStore>
  WriteAndKeepTerms<kGradient, kStore> Write() const {
    const std::size_t first = begin_ + ahead_;
    return {Terms(), earlier_.terms() + first, hn::Set(FloatTag(), earlier_.factor_at(begin_)),
            earlier_.at(first)};
  }
  void WriteFirst() const {
    const std::size_t columns = earlier_.columns();
    earlier_.Write(HWY_MIN(begin_ + ahead_, columns), HWY_MIN(begin_ + ahead_ + kBlock(), columns));
  }

 private:
  const GradientOfTerms<kGradient>& earlier_;
  std::size_t ahead_ = 0;
  bool streamed_ = false;
};

template <DType kLogits, DType kGradient>
class FusedRows {
 public:
  using Derivative = Differential<false, Coefficients::general>;

  FusedRows(const VocabShard& next, const Transform& transform, std::span<Partial<RowSums>> sums,
            const SummedRows& before, KeptTerms& kept)
      : next_(next),
        transform_(transform),
        sums_(sums),
        before_(before),
        one_hots_(before.one_hots),
        kept_(kept),
        columns_(static_cast<std::size_t>(next.columns().valid())),
        forward_(transform, false) {}

  void operator()() {
    for (std::size_t t = 0; t < std::max(sums_.size(), before_.rows.size()); ++t) PassOver(t);
    if (before_.streamed) hwy::FlushStream();  // before anyone is told that the gradient is there
  }

 private:
  void PassOver(std::size_t t) {
    TermKeeper keeper(kept_.row(t));
    if (t >= before_.rows.size() || next_.columns().width == 0) return Sum(t, keeper);
    const auto row = static_cast<std::int64_t>(t);
    const auto one_hots = TakeOneHots(one_hots_, row);
    const RowGradient& gradient = before_.rows[t];
    const auto coefficients = Derivative::CoefficientsOf(gradient, transform_.temperature);
    if (gradient.kind == RowGradient::Kind::formula && coefficients.plain() &&
        coefficients.b == 0) {
      return WriteAndSum(t, coefficients, one_hots);
    }
    BackwardRowOfAnyKind<Differential, kLogits, kGradient>(before_.logits, transform_, row,
                                                           gradient, one_hots, before_.gradient,
                                                           before_.streamed, at_targets_);
    Sum(t, keeper);
  }

  void WriteAndSum(std::size_t t, const ScaledCoefficients& coefficients,
                   std::span<const OneHot> one_hots) {
    const auto row = static_cast<std::int64_t>(t);
    const RowGradient& gradient = before_.rows[t];
    std::byte* const to = before_.gradient.rows().row(row);
    // First, because in place their logits are overwritten.
    DifferentiateOneHots<kLogits>(before_.logits.rows().row(row), transform_, gradient, one_hots,
                                  at_targets_);
    const GradientOfTerms<kGradient> earlier(kept_.row(t), columns_, gradient, coefficients,
                                             transform_.temperature, factors_, to);
    if (t < sums_.size()) {
      EarlierRowWriter<kGradient> writer(kept_.row(t), earlier, before_.streamed);
      Sum(t, writer);
    } else {
      earlier.Write(0, columns_);
    }
    WriteOneHots<Derivative, kGradient>(one_hots, at_targets_, to);
    FillZero(before_.gradient, row, columns_);
  }

  template <class Beside>
  void Sum(std::size_t t, Beside& beside) {
    if (t >= sums_.size()) return;
    // There may be no memory.
    const std::byte* const row =
        columns_ > 0 ? next_.rows().row(static_cast<std::int64_t>(t)) : nullptr;
    sums_[t].value = forward_.Sum(WholeRow<kLogits>(row), columns_, beside);
  }

  const VocabShard& next_;
  const Transform& transform_;
  std::span<Partial<RowSums>> sums_;
  const SummedRows& before_;
  std::span<const OneHot> one_hots_;
  KeptTerms& kept_;
  std::size_t columns_;
  RowForward<kLogits> forward_;
  std::vector<float> at_targets_, factors_;
};

template <DType kLogits>
void FusedRowsFrom(const VocabShard& next, const Transform& transform,
                   std::span<Partial<RowSums>> sums, const SummedRows& before, KeptTerms& kept) {
  if (before.gradient.rows().dtype == kLogits) {
    FusedRows<kLogits, kLogits>(next, transform, sums, before, kept)();
  } else {
    FusedRows<kLogits, DType::fp32>(next, transform, sums, before, kept)();
  }
}

inline void ForwardAndBackwardRows(const VocabShard& next, const Transform& transform,
                                   std::span<Partial<RowSums>> sums, const SummedRows& before,
                                   KeptTerms& kept) {
  switch (next.rows().dtype) {
    case DType::fp32:
      return FusedRowsFrom<DType::fp32>(next, transform, sums, before, kept);
    case DType::bf16:
      return FusedRowsFrom<DType::bf16>(next, transform, sums, before, kept);
    case DType::fp16:
      return FusedRowsFrom<DType::fp16>(next, transform, sums, before, kept);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_FUSED_INL_H_
