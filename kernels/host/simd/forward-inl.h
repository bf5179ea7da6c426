// The sums of one row of one shard. Included once per target.
#if defined(VPARITY_CPU_FORWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_FORWARD_INL_H_
#undef VPARITY_CPU_FORWARD_INL_H_
#else
#define VPARITY_CPU_FORWARD_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "host/simd/exp-inl.h"
#include "host/simd/row_kernels.h"
#include "host/simd/running_sums.h"
#include "host/simd/softcap-inl.h"
#include "host/simd/storage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;

// A row is read in blocks. A block is summed relative to the largest logit of the blocks before it.
// Only if it holds a larger one, which few of many blocks do, it is summed a second time, from the
// L1 cache. The sums are fp32, in four independent chains of 16 additions per lane. That is short
// enough that even roundings that all go one way stay below the bound's k (semantics 7), at any
// vector width.
constexpr std::size_t kForwardChains = 4;
constexpr std::size_t kForwardChainLength = 16;
constexpr std::size_t kForwardBlockVectors = kForwardChains * kForwardChainLength;

/// Where a block's columns are: in the row, whose following columns are prefetched, or decoded in a
/// buffer.
enum class Source { row, buffer };

/// The sums over one block, lane by lane.
template <bool kDivide>
struct BlockExponentials {
  using V = hn::Vec<FloatTag>;
  V max, s, u;

  explicit HWY_INLINE BlockExponentials(FloatTag d)
      : max(hn::Set(d, -HUGE_VALF)), s(hn::Zero(d)), u(hn::Zero(d)) {}

  /// Adds e^z and e^z z, z = (f - reference) / temperature. Returns e^z.
  HWY_INLINE V Add(FloatTag d, V f, V reference, V temperature) {
    max = hn::Max(max, f);
    V z = hn::Sub(f, reference);
    if constexpr (kDivide) z = hn::Div(z, temperature);
    z = ClampToExpDomain(d, z);
    const V p = Exp(d, z);
    s = hn::Add(s, p);
    u = hn::MulAdd(p, z, u);
    return p;
  }
};

/// Takes the exponentials e^z of a block, and does nothing with them.
struct DropExponentials {
  /// The exponentials of the next two pairs of vectors, in the order in which LoadPair<kType> gives
  /// them.
  template <DType kType>
  HWY_INLINE void Take(const Pair<FloatTag>& /*first*/, const Pair<FloatTag>& /*second*/) {}
};

/// The policy of a pass that only sums a row. The policies of fused-inl.h also keep the row's
/// exponentials, and write the gradient of the previous row.
struct SumsOnly {
  static constexpr bool kWritesPreviousRow = false;
  DropExponentials ForBlock() const { return {}; }
  void EndBlock(float /*reference*/) {}
};

struct BlockSums {
  float max;  ///< of a block without NaN
  double s;   ///< NaN if the block holds NaN or +inf; meaningless if max > reference
  double u;
};

/// Sums over one block of f(x), relative to `reference`. `padded` is a multiple of kForwardChains
/// vectors. `kDivide` is false for a temperature of 1.
template <DType kType, Source kSource, bool kDivide, class TakeExponentials>
HWY_INLINE BlockSums SumBlock(const std::byte* f, std::size_t padded, float reference,
                              float temperature, TakeExponentials exponentials) {
  const FloatTag d;
  const std::size_t step = hn::Lanes(d) * size_of(kType);
  const auto f0 = hn::Set(d, reference);
  const auto tau = hn::Set(d, temperature);
  BlockExponentials<kDivide> t0(d), t1(d), t2(d), t3(d);
  for (const std::byte* const end = f + padded * size_of(kType); f != end;
       f += kForwardChains * step) {
    if constexpr (kSource == Source::row) PrefetchAhead(f, kForwardChains * step);
    const auto x01 = LoadPair<kType>(d, f);
    const auto x23 = LoadPair<kType>(d, f + 2 * step);
    const Pair<FloatTag> p01{t0.Add(d, x01.first, f0, tau), t1.Add(d, x01.second, f0, tau)};
    const Pair<FloatTag> p23{t2.Add(d, x23.first, f0, tau), t3.Add(d, x23.second, f0, tau)};
    exponentials.template Take<kType>(p01, p23);
  }
  const auto max = hn::Max(hn::Max(t0.max, t1.max), hn::Max(t2.max, t3.max));
  const auto s = hn::Add(hn::Add(t0.s, t1.s), hn::Add(t2.s, t3.s));
  const auto u = hn::Add(hn::Add(t0.u, t1.u), hn::Add(t2.u, t3.u));
  return {hn::GetLane(hn::MaxOfLanes(d, max)), hn::GetLane(hn::SumOfLanes(d, s)),
          hn::GetLane(hn::SumOfLanes(d, u))};
}

/// Sums a block for the first time, and writes a part of the previous row's gradient if the policy
/// does that.
template <DType kType, Source kSource, bool kDivide, class Policy>
HWY_INLINE BlockSums SumNewBlock(const std::byte* f, std::size_t padded, float reference,
                                 float temperature, Policy& policy) {
  if constexpr (Policy::kWritesPreviousRow && kSource == Source::row) {
    if (policy.CanStream()) {
      return SumBlock<kType, kSource, kDivide>(f, padded, reference, temperature,
                                               policy.template Write<Store::streamed>());
    }
    if (policy.CanStore()) {
      return SumBlock<kType, kSource, kDivide>(f, padded, reference, temperature,
                                               policy.template Write<Store::cached>());
    }
  }
  if constexpr (Policy::kWritesPreviousRow) policy.WriteFirst();
  return SumBlock<kType, kSource, kDivide>(f, padded, reference, temperature, policy.ForBlock());
}

/// Adds a block of f(x). A block with a new maximum is summed twice.
template <DType kType, Source kSource, bool kDivide, class Policy>
HWY_INLINE void AddExponentials(const std::byte* f, std::size_t padded, float temperature,
                                RunningSums& sums, Policy& policy) {
  BlockSums block = SumNewBlock<kType, kSource, kDivide>(f, padded, sums.max, temperature, policy);
  if (block.max > sums.max) {
    sums.raise_max(block.max, temperature);
    block = SumBlock<kType, Source::buffer, kDivide>(f, padded, sums.max, temperature,
                                                     policy.ForBlock());
  }
  policy.EndBlock(sums.max);
  sums.s += block.s;
  sums.u += block.u;
}

template <DType kType, Source kSource, class Policy>
void AddBlock(const std::byte* f, std::size_t padded, float temperature, RunningSums& sums,
              Policy& policy) {
  if (temperature == 1.0F) {
    AddExponentials<kType, kSource, false>(f, padded, temperature, sums, policy);
  } else {
    AddExponentials<kType, kSource, true>(f, padded, temperature, sums, policy);
  }
}

/// Adds f - sums.max over valid columns, and their number. In double: the differences may exceed
/// fp32's range where their mean does not.
inline void AddCentred(const float* f, std::size_t padded, RunningSums& sums) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto reference = hn::Set(d, static_cast<double>(sums.max));
  const auto minus_infinity = hn::Set(d, -HUGE_VAL);
  auto sum = hn::Zero(d), n = hn::Zero(d);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto v = hn::PromoteTo(d, hn::Load(df, f + i));
    const auto valid = hn::Gt(v, minus_infinity);
    sum = hn::Add(sum, hn::IfThenElseZero(valid, hn::Sub(v, reference)));
    n = hn::Add(n, hn::IfThenElseZero(valid, hn::Set(d, 1.0)));
  }
  sums.centred += hn::GetLane(hn::SumOfLanes(d, sum));
  sums.n += static_cast<std::int32_t>(hn::GetLane(hn::SumOfLanes(d, n)));
}

/// A row that is contiguous.
template <DType kType>
class WholeRow {
 public:
  explicit WholeRow(const std::byte* row) : row_(row) {}

  const std::byte* Columns(std::size_t begin, std::size_t /*count*/) const {
    return row_ + begin * size_of(kType);
  }

 private:
  const std::byte* row_;
};

/// A row in pieces. A block that crosses pieces is first copied into a buffer.
template <DType kType>
class RowInPieces {
 public:
  explicit RowInPieces(std::span<const RowPiece> pieces) : pieces_(pieces) {}

  /// `begin` does not decrease from call to call.
  const std::byte* Columns(std::size_t begin, std::size_t count) {
    while (begin - first_ >= pieces_.front().columns) NextPiece();
    const std::byte* const from = pieces_.front().data + (begin - first_) * size_of(kType);
    const std::size_t left = pieces_.front().columns - (begin - first_);
    if (left >= count) return from;
    std::memcpy(block_, from, left * size_of(kType));
    for (std::size_t filled = left; filled < count;) {
      NextPiece();
      const std::size_t more = HWY_MIN(pieces_.front().columns, count - filled);
      if (more > 0) {
        std::memcpy(block_ + filled * size_of(kType), pieces_.front().data, more * size_of(kType));
      }
      filled += more;
    }
    return block_;
  }

 private:
  void NextPiece() {
    first_ += pieces_.front().columns;
    pieces_ = pieces_.subspan(1);
  }

  std::span<const RowPiece> pieces_;
  std::size_t first_ = 0;  ///< column of the row at which the first remaining piece begins
  HWY_ALIGN std::byte block_[kForwardBlockVectors * hn::MaxLanes(FloatTag()) * sizeof(float)];
};

/// One row, block by block. Blocks that are read twice (with label smoothing or a softcap), and the
/// partial block at a row's end, are first decoded into a buffer.
template <DType kType>
class RowForward {
 public:
  RowForward(const Transform& transform, bool with_a)
      : transform_(transform), with_a_(with_a), direct_(!with_a && transform.softcap == 0) {}

  template <class Row>
  RowSums operator()(Row row, std::size_t columns) {
    SumsOnly policy;
    return Sum(row, columns, policy);
  }

  template <class Row, class Policy>
  RowSums Sum(Row row, std::size_t columns, Policy& policy) {
    sums_ = {};
    const std::size_t block = kForwardBlockVectors * hn::Lanes(FloatTag());
    std::size_t begin = 0;
    for (; direct_ && begin + block <= columns; begin += block) {
      AddBlock<kType, Source::row>(row.Columns(begin, block), block, transform_.temperature, sums_,
                                   policy);
    }
    for (; begin < columns; begin += block) {
      const std::size_t count = HWY_MIN(block, columns - begin);
      const std::byte* const from = row.Columns(begin, count);
      PrefetchColumns<kType>(from, block, HWY_MIN(2 * block, columns - begin));
      AddDecoded(from, count, policy);
    }
    return sums_.finish(transform_.temperature);
  }

 private:
  template <class Policy>
  void AddDecoded(const std::byte* from, std::size_t count, Policy& policy) {
    const FloatTag d;
    const std::size_t padded = PaddedToVectors(d, count, kForwardChains);
    DecodeBlock<kType>(d, from, count, padded, x_);
    if (transform_.softcap > 0) SoftcapBlock(x_, padded, transform_.softcap, x_, nullptr);
    AddBlock<DType::fp32, Source::buffer>(reinterpret_cast<const std::byte*>(x_), padded,
                                          transform_.temperature, sums_, policy);
    if (with_a_) AddCentred(x_, padded, sums_);
  }

  const Transform& transform_;
  bool with_a_;
  bool direct_;
  RunningSums sums_;
  HWY_ALIGN float x_[kForwardBlockVectors * hn::MaxLanes(FloatTag())];
};

template <DType kType>
void ForwardRowsOf(const VocabShard& logits, const Transform& transform, bool with_a,
                   std::span<Partial<RowSums>> sums) {
  const Rows& rows = logits.rows();
  const auto columns = static_cast<std::size_t>(logits.columns().valid());
  RowForward<kType> forward(transform, with_a);
  for (std::int64_t t = 0; t < rows.rows; ++t) {
    const std::byte* const row = columns > 0 ? rows.row(t) : nullptr;  // there may be no memory
    sums[static_cast<std::size_t>(t)].value = forward(WholeRow<kType>(row), columns);
  }
}

template <DType kType>
RowSums ForwardRowOf(std::span<const RowPiece> pieces, const Transform& transform, bool with_a) {
  std::size_t columns = 0;
  for (const RowPiece& piece : pieces) columns += piece.columns;
  return RowForward<kType>(transform, with_a)(RowInPieces<kType>(pieces), columns);
}

inline RowSums ForwardRow(std::span<const RowPiece> pieces, DType dtype, const Transform& transform,
                          bool with_a) {
  switch (dtype) {
    case DType::fp32:
      return ForwardRowOf<DType::fp32>(pieces, transform, with_a);
    case DType::bf16:
      return ForwardRowOf<DType::bf16>(pieces, transform, with_a);
    case DType::fp16:
      return ForwardRowOf<DType::fp16>(pieces, transform, with_a);
  }
  return {};
}

inline void ForwardRows(const VocabShard& logits, const Transform& transform, bool with_a,
                        std::span<Partial<RowSums>> sums) {
  switch (logits.rows().dtype) {
    case DType::fp32:
      return ForwardRowsOf<DType::fp32>(logits, transform, with_a, sums);
    case DType::bf16:
      return ForwardRowsOf<DType::bf16>(logits, transform, with_a, sums);
    case DType::fp16:
      return ForwardRowsOf<DType::fp16>(logits, transform, with_a, sums);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_FORWARD_INL_H_
