// The maximum of one row of one shard, and its sums on a grid. Included once per target.
#if defined(VPARITY_CPU_REPRODUCIBLE_FORWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_REPRODUCIBLE_FORWARD_INL_H_
#undef VPARITY_CPU_REPRODUCIBLE_FORWARD_INL_H_
#else
#define VPARITY_CPU_REPRODUCIBLE_FORWARD_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "host/simd/reproducible_kernels.h"
#include "host/simd/softcap-inl.h"
#include "host/simd/storage-inl.h"
#include "host/simd/stored_value.h"
#include "host/simd/vector_arithmetic-inl.h"
#include "reproducible/exact_reductions.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using vparity::reproducible::coarse_grid;
using vparity::reproducible::fine_grid;
using vparity::reproducible::grid_terms;
using vparity::reproducible::grid_total;

/// The bits of -inf, in a lane of the storage type's size.
template <DType kType>
constexpr std::uint32_t kMinusInfinity = kType == DType::fp32   ? 0xFF800000U
                                         : kType == DType::bf16 ? 0xFF80U
                                                                : 0xFC00U;

/// The largest of stored floats, by their bits alone, for each storage type. Among the bits as
/// signed integers, the largest is the largest positive number and the smallest is the negative
/// number nearest to 0. Among the bits as unsigned integers, the largest is the lowest negative
/// number, or a NaN with a sign.
template <DType kType>
class RowMaximum {
 public:
  using T = std::conditional_t<kType == DType::fp32, std::int32_t, std::int16_t>;
  using D = hn::ScalableTag<T>;
  using DU = hn::RebindToUnsigned<D>;
  using U = hn::TFromD<DU>;

  // Constructors are written out, because implicit ones would not be compiled for the target.
  HWY_INLINE RowMaximum() : first_(), second_() {}

  void AddColumns(const std::byte* row, std::size_t begin, std::size_t end) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = begin;
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      const std::byte* const from = row + i * sizeof(T);
      PrefetchAhead(from, 2 * lanes * sizeof(T));
      first_.Add(LoadBytes(d, from));
      second_.Add(LoadBytes(d, from + lanes * sizeof(T)));
    }
    for (; i < end; i += lanes) first_.Add(LoadSome(row, i, end));
  }

  /// `bytes` of whole vectors.
  HWY_INLINE void AddWhole(const std::byte* from, std::size_t bytes) {
    const D d;
    for (std::size_t i = 0; i < bytes; i += hn::Lanes(d) * sizeof(T)) {
      first_.Add(LoadBytes(d, from + i));
    }
  }

  reproducible::OrderKey Key() const { return vparity::reproducible::order_key(Largest()); }

 private:
  struct Extremes {
    hn::Vec<D> most, least;
    hn::Vec<DU> farthest;

    HWY_INLINE Extremes()
        : most(hn::Set(D(), static_cast<T>(kMinusInfinity<kType>))),
          least(most),
          farthest(hn::BitCast(DU(), most)) {}
    HWY_INLINE void Add(hn::Vec<D> bits) {
      most = hn::Max(most, bits);
      least = hn::Min(least, bits);
      farthest = hn::Max(farthest, hn::BitCast(DU(), bits));
    }
  };

  HWY_INLINE hn::Vec<D> LoadSome(const std::byte* row, std::size_t begin, std::size_t end) const {
    const D d;
    HWY_ALIGN T lanes[hn::MaxLanes(D())];
    std::fill(lanes, lanes + hn::Lanes(d), static_cast<T>(kMinusInfinity<kType>));
    const std::size_t count = HWY_MIN(hn::Lanes(d), end - begin);
    std::memcpy(lanes, row + begin * sizeof(T), count * sizeof(T));
    return hn::Load(d, lanes);
  }

  float Largest() const {
    const D d;
    HWY_ALIGN T most[hn::MaxLanes(D())], least[hn::MaxLanes(D())];
    HWY_ALIGN U farthest[hn::MaxLanes(D())];
    hn::Store(hn::Max(first_.most, second_.most), d, most);
    hn::Store(hn::Min(first_.least, second_.least), d, least);
    hn::Store(hn::Max(first_.farthest, second_.farthest), DU(), farthest);
    const std::size_t lanes = hn::Lanes(d);
    const T positive = *std::max_element(most, most + lanes);
    const T negative = *std::min_element(least, least + lanes);
    const U lowest = *std::max_element(farthest, farthest + lanes);
    if (lowest > kMinusInfinity<kType>) return std::nanf("");
    const T bits = positive >= 0 ? positive : negative;
    std::byte stored[sizeof bits];
    std::memcpy(stored, &bits, sizeof bits);
    return stored_value(stored, kType);
  }

  Extremes first_, second_;
};

/// Sums on the grid, lane by lane (reproducible/grid_sum.h).
class GridSum {
 public:
  using D = hn::ScalableTag<float>;
  using DU = hn::RebindToUnsigned<D>;

  HWY_INLINE GridSum() : coarse_(hn::Zero(DU())), fine_(hn::Zero(DU())) {}

  HWY_INLINE void Add(hn::Vec<D> v) {
    const D d;
    const auto coarse = hn::Add(v, hn::Set(d, coarse_grid));
    const auto fine = hn::Sub(v, hn::Sub(coarse, hn::Set(d, coarse_grid + fine_grid)));
    coarse_ = hn::Add(coarse_, hn::BitCast(DU(), coarse));
    fine_ = hn::Add(fine_, hn::BitCast(DU(), fine));
  }

  /// The sum of `terms` terms in each lane.
  std::int64_t Total(std::size_t terms) const {
    HWY_ALIGN std::uint32_t coarse[hn::MaxLanes(D())], fine[hn::MaxLanes(D())];
    hn::Store(coarse_, DU(), coarse);
    hn::Store(fine_, DU(), fine);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < hn::Lanes(D()); ++i) {
      total += grid_total(coarse[i], fine[i], static_cast<std::uint32_t>(terms));
    }
    return total;
  }

 private:
  hn::Vec<DU> coarse_, fine_;
};

/// Adds e^z and e^z z of logits f(x) to a row's sums.
template <bool kDivide>
class RowTerms {
 public:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;

  HWY_INLINE RowTerms(float max, float temperature)
      : max_(hn::Set(D(), max)), temperature_(hn::Set(D(), temperature)), s_(), u_() {}

  HWY_INLINE void Add(V f) {
    const D d;
    V z = hn::Sub(f, max_);
    if constexpr (kDivide) z = hn::Div(z, temperature_);
    z = hn::Max(hn::Set(d, -64.0F), z);  // where e^z and e^z z are 0 on the grid
    const V p = elementary::exp_in_range<VectorFloats>(z);
    s_.Add(p);
    u_.Add(hn::Mul(p, z));
  }

  GridSums Total(std::size_t terms) const { return {s_.Total(terms), u_.Total(terms)}; }

 private:
  V max_, temperature_;
  GridSum s_, u_;
};

constexpr std::size_t kSumVectors = 4;  // added in one turn of the loop

/// The sums of one row whose logits are in the cache.
template <DType kType, bool kDivide>
class RowGridSums {
 public:
  using D = hn::ScalableTag<float>;

  RowGridSums(const Transform& transform, float max) : transform_(transform), max_(max) {}

  /// In the same loop adds `upcoming`, equally many columns of a row of the next group, to
  /// `maximum`.
  GridSums operator()(const std::byte* row, std::size_t columns, const std::byte* upcoming,
                      RowMaximum<kType>& maximum) {
    const std::size_t turn = kSumVectors * hn::Lanes(D());
    // With a softcap all columns are decoded first, else only the row's end.
    const std::size_t whole = transform_.softcap > 0 ? 0 : columns / turn * turn;
    for (std::size_t begin = 0; begin < whole;) {
      const std::size_t end = HWY_MIN(whole, begin + kBlockTurns * turn);
      if (upcoming != nullptr) {
        AddStored<true>(row, begin, end, upcoming, maximum);
      } else {
        AddStored<false>(row, begin, end, upcoming, maximum);
      }
      begin = end;
    }
    for (std::size_t begin = whole; begin < columns; begin += kBuffer) {
      const std::size_t end = HWY_MIN(begin + kBuffer, columns);
      AddDecoded(row + begin * size_of(kType), end - begin);
    }
    if (upcoming != nullptr) maximum.AddColumns(upcoming, whole, columns);
    return sums_;
  }

 private:
  static constexpr std::size_t kBlockTurns = grid_terms / kSumVectors;
  static constexpr std::size_t kBuffer = 1024;  // columns

  template <bool kUpcoming>
  void AddStored(const std::byte* row, std::size_t begin, std::size_t end,
                 const std::byte* upcoming, RowMaximum<kType>& maximum) {
    const D d;
    const std::size_t step = hn::Lanes(d) * size_of(kType);
    const std::byte* const last = row + end * size_of(kType);
    RowTerms<kDivide> terms(max_, transform_.temperature);
    RowMaximum<kType> found = maximum;
    const std::byte* ahead = kUpcoming ? upcoming + begin * size_of(kType) : nullptr;
    for (const std::byte* from = row + begin * size_of(kType); from != last;
         from += kSumVectors * step) {
      if constexpr (kUpcoming) {
        PrefetchAhead(ahead, kSumVectors * step);
        found.AddWhole(ahead, kSumVectors * step);
        ahead += kSumVectors * step;
      }
      const auto x01 = LoadPair<kType>(d, from);
      const auto x23 = LoadPair<kType>(d, from + 2 * step);
      terms.Add(x01.first);
      terms.Add(x01.second);
      terms.Add(x23.first);
      terms.Add(x23.second);
    }
    maximum = found;
    AddTotal(terms.Total((end - begin) / hn::Lanes(d)));
  }

  void AddDecoded(const std::byte* from, std::size_t count) {
    const D d;
    const std::size_t padded = PaddedToVectors(d, count, 1);
    DecodeBlock<kType>(d, from, count, padded, x_);
    if (transform_.softcap > 0) {
      ReproducibleSoftcapBlock(x_, padded, transform_.softcap, x_, nullptr);
      // Two logits that the softcap makes nearly equal may come out in the other order.
      for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
        hn::Store(hn::Min(hn::Load(d, x_ + i), hn::Set(d, max_)), d, x_ + i);
      }
    }
    RowTerms<kDivide> terms(max_, transform_.temperature);
    for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) terms.Add(hn::Load(d, x_ + i));
    AddTotal(terms.Total(padded / hn::Lanes(d)));
  }

  void AddTotal(const GridSums& total) {
    sums_.s += total.s;
    sums_.u += total.u;
  }

  const Transform& transform_;
  float max_;
  GridSums sums_{0, 0};
  HWY_ALIGN float x_[kBuffer];
};

template <DType kType>
void RowMaximaOf(const VocabShard& logits, std::span<Partial<reproducible::OrderKey>> keys) {
  const Rows& rows = logits.rows();
  const auto columns = static_cast<std::size_t>(logits.columns().valid());
  for (std::int64_t t = 0; t < rows.rows; ++t) {
    const std::byte* const row = columns > 0 ? rows.row(t) : nullptr;  // there may be no memory
    RowMaximum<kType> maximum;
    maximum.AddColumns(row, 0, columns);
    keys[static_cast<std::size_t>(t)].value = maximum.Key();
  }
}

template <DType kType, bool kDivide>
void RowSumsOf(const VocabShard& logits, const Transform& transform, std::span<const float> maxima,
               const Rows& upcoming, std::span<Partial<GridSums>> sums,
               std::span<Partial<reproducible::OrderKey>> upcoming_keys) {
  const Rows& rows = logits.rows();
  const auto columns = static_cast<std::size_t>(logits.columns().valid());
  for (std::int64_t t = 0; t < rows.rows; ++t) {
    const auto i = static_cast<std::size_t>(t);
    const bool followed = t < upcoming.rows;
    const std::byte* const next = followed && columns > 0 ? upcoming.row(t) : nullptr;
    RowMaximum<kType> maximum;
    sums[i].value = {0, 0};
    if (columns > 0 && std::isfinite(maxima[i])) {
      sums[i].value =
          RowGridSums<kType, kDivide>(transform, maxima[i])(rows.row(t), columns, next, maximum);
    } else if (next != nullptr) {
      maximum.AddColumns(next, 0, columns);
    }
    if (followed) upcoming_keys[i].value = maximum.Key();
  }
}

void RowMaxima(const VocabShard& logits, std::span<Partial<reproducible::OrderKey>> keys) {
  switch (logits.rows().dtype) {
    case DType::fp32:
      return RowMaximaOf<DType::fp32>(logits, keys);
    case DType::bf16:
      return RowMaximaOf<DType::bf16>(logits, keys);
    case DType::fp16:
      return RowMaximaOf<DType::fp16>(logits, keys);
  }
}

void RowGridSumsOf(const VocabShard& logits, const Transform& transform,
                   std::span<const float> maxima, const Rows& upcoming,
                   std::span<Partial<GridSums>> sums,
                   std::span<Partial<reproducible::OrderKey>> upcoming_keys) {
  const auto run = [&]<DType kType>() {
    if (transform.temperature == 1.0F) {
      RowSumsOf<kType, false>(logits, transform, maxima, upcoming, sums, upcoming_keys);
    } else {
      RowSumsOf<kType, true>(logits, transform, maxima, upcoming, sums, upcoming_keys);
    }
  };
  switch (logits.rows().dtype) {
    case DType::fp32:
      return run.template operator()<DType::fp32>();
    case DType::bf16:
      return run.template operator()<DType::bf16>();
    case DType::fp16:
      return run.template operator()<DType::fp16>();
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_REPRODUCIBLE_FORWARD_INL_H_
