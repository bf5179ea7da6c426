// The gradient of rows whose statistics are known (semantics 3). First, one thread per row computes
// the coefficients and the gradients at the targets. Then one pass reads the logits and writes the
// gradient.
#pragma once

#include <cmath>
#include <cstdint>

#include "device/kernels/block_sums.cuh"
#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/storage.cuh"
#include "device/kernels/target_logits.cuh"
#include "device/kernels/tiles.cuh"
#include "row/gradient.h"

namespace vparity::cuda {

/// Runs before the pass over the logits, which in place overwrites the logits of the targets.
template <DType kType>
__device__ TargetGradient target_gradient(const FindCoefficients& call, const RowGradient& row,
                                          const RowUpstream<DeviceIds>& upstream, std::int64_t t,
                                          int k) {
  const std::int64_t id = call.targets.ids(t, k);
  if (upstream.ignored(k) || !owns(call.targets.own, id) || !upstream.first_of_its_id(k))
    return {-1, 0};
  const std::int64_t column = id - call.targets.own.begin;
  const float x = stored_logit<kType>(call.logits, t, column);
  const double weight = upstream.one_hot_weight(k, call.options.label_smoothing);
  return {column, static_cast<float>(one_hot_gradient(row, call.transform, x,
                                                      transformed(x, call.transform), weight))};
}

template <DType kType>
__global__ void __launch_bounds__(threads_per_block)
    find_coefficients_kernel(FindCoefficients call) {
  const int columns = call.targets.ids.columns();
  const bool with_smoothing = call.options.label_smoothing > 0;
  for (std::int64_t t = first_row_of_thread(); t < call.logits.rows; t += threads_of_grid()) {
    const SavedRow saved{call.saved.row_max[t], call.saved.sum_minus_one[t], call.saved.entropy[t],
                         with_smoothing ? call.saved.valid_columns[t] : 0};
    const RowUpstream<DeviceIds> upstream(call.targets.ids, call.upstream, t, call.options,
                                          call.global_valid_tokens);
    const RowGradient row = row_gradient(upstream, columns, saved, call.options);
    const ScaledCoefficients scaled =
        exponential_coefficients(row, call.transform.temperature, call.transform.reproducible);
    call.rows[t] = {row.kind, scaled.plain(), row.max, scaled};
    const bool formula = row.kind == RowGradient::Kind::formula;
    for (int k = 0; k < columns; ++k) {
      call.target_gradients[t * columns + k] =
          formula ? target_gradient<kType>(call, row, upstream, t, k) : TargetGradient{-1, 0};
    }
  }
}

/// grad_x without the one-hot part, from e^z (a + b z) + d.
template <bool kCapped, bool kPlain>
class Differential {
 public:
  static constexpr bool canonical = false;           // any NaN and any zero are allowed
  static constexpr bool plain_is_faster = !kCapped;  // the softcap would take most of the time

  __device__ Differential(const Transform& transform, const RowCoefficients& row)
      : softcap_(transform.softcap),
        scale_(exponent_scale(transform.temperature)),
        max_(row.max),
        b_(static_cast<float>(row.scaled.b * ln_2)),
        row_(row.scaled) {}

  __device__ float operator()(float x) const {
    if constexpr (!kCapped) return scaled(by_capped(x));
    const auto both = reproducible::softcap(x, softcap_);
    const float f = std::isfinite(x) ? static_cast<float>(both.value) : x;
    return scaled(by_capped(f) * static_cast<float>(both.slope));
  }

 private:
  __device__ float by_capped(float f) const {
    const float w = max_keeping_nan((f - max_) * scale_, lowest_exponent);
    const float e = exp2_flushed(w);
    const float weight = fmaf(b_, w, row_.a);
    if constexpr (kPlain) return fmaf(e, weight, 0.0F);  // +0 also where the weight is negative
    // p = 0 is selected, not multiplied: an infinite upstream gradient makes A infinite.
    const float from_p = e > 0 ? e * weight : 0;
    return from_p + (f > -HUGE_VALF ? row_.d : 0);
  }

  __device__ float scaled(float g) const {
    if constexpr (kPlain) return g;
    return g * row_.scale[0] * row_.scale[1];
  }

  float softcap_, scale_, max_, b_;
  const ScaledCoefficients& row_;
};

/// Differential by IEEE operations alone, as on the host. Mode `reproducible` has no label
/// smoothing.
template <bool kCapped, bool kPlain = false>
class ReproducibleDifferential {
  using A = reproducible::FloatArithmetic;

 public:
  static constexpr bool canonical = true;
  static constexpr bool plain_is_faster = false;

  __device__ ReproducibleDifferential(const Transform& transform, const RowCoefficients& row)
      : softcap_(transform.softcap),
        temperature_(transform.temperature),
        max_(row.max),
        row_(row.scaled) {}

  __device__ float operator()(float x) const {
    if constexpr (!kCapped) return scaled(by_centred(A::sub(x, max_)));
    const auto both = reproducible::softcap(x, softcap_);
    const float f = std::isfinite(x) ? static_cast<float>(both.value) : x;
    // Two logits that the softcap makes nearly equal may come out in the other order.
    const float z = fminf(A::sub(f, max_), 0.0F);
    return scaled(A::mul(by_centred(z), static_cast<float>(both.slope)));
  }

 private:
  __device__ float by_centred(float z) const {
    if (temperature_ != 1.0F) z = A::div(z, temperature_);
    // Below the cut-off of exp, p = 0. The product is selected, because an infinite upstream
    // gradient makes A infinite; results outside the domain are not selected.
    return A::if_at_least(z, reproducible::kExpCutOff,
                          A::mul(reproducible::exp_in_range<A>(z), A::fma(row_.b, z, row_.a)));
  }

  __device__ float scaled(float g) const {
    if (!row_.scaled()) return g;
    return A::mul(A::mul(g, row_.scale[0]), row_.scale[1]);
  }

  float softcap_, temperature_, max_;
  const ScaledCoefficients& row_;
};

/// Stores the gradients of sixteen bytes of logits, aligned or not.
template <DType kLogits, DType kGradient, bool kCanonical>
__device__ void store_gradients(std::byte* at, bool aligned, const float* g) {
  using S = Storage<kGradient>;
  constexpr int count = Storage<kLogits>::group;
  for (int i = 0; i < count; i += S::group) {
    std::byte* const to = at + i * static_cast<int>(size_of(kGradient));
    if (aligned) {
      const uint4 group = S::encode(g + i);
      store_group(to, kCanonical ? S::canonical(group) : group);
    } else {
      for (int j = 0; j < S::group; ++j) {
        store_element<kGradient, kCanonical>(to + j * static_cast<int>(size_of(kGradient)),
                                             g[i + j]);
      }
    }
  }
}

/// Writes the gradient of a tile. In place, a thread reads the logits that it overwrites before it
/// writes, and no other thread reads them.
template <DType kLogits, DType kGradient, class Derivative>
struct DifferentiateTile {
  static constexpr int group = Storage<kLogits>::group;
  static constexpr int gradient_bytes = static_cast<int>(size_of(kGradient));
  const std::byte* from;
  std::byte* to;
  Pieces<kLogits> pieces;
  const Derivative& derivative;
  bool aligned;

  __device__ DifferentiateTile(const std::byte* logits, std::byte* gradient, std::int64_t count,
                               const Derivative& row_derivative)
      : from(logits),
        to(gradient),
        pieces(logits, count),
        derivative(row_derivative),
        aligned(at_group(gradient + pieces.head * gradient_bytes)) {}

  __device__ void many(std::int64_t first) {
    uint4 raw[loads_in_flight];
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) raw[i] = load(first + i * threads_per_block);
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) write(first + i * threads_per_block, raw[i]);
  }
  __device__ void one(std::int64_t index) {
    if (index < pieces.groups) write(index, load(index));
  }
  __device__ void singles() {
    const std::int64_t i = pieces.single_of_thread();
    if (i < 0) return;
    const float x = load_element<kLogits>(from + i * pieces.element_bytes);
    store_element<kGradient, Derivative::canonical>(to + i * gradient_bytes, derivative(x));
  }

 private:
  __device__ uint4 load(std::int64_t index) const {
    return load_group(from + pieces.offset_of_group(index) * pieces.element_bytes);
  }
  __device__ void write(std::int64_t index, const uint4& raw) {
    float x[group];
    Storage<kLogits>::decode(raw, x);
#pragma unroll
    for (int i = 0; i < group; ++i) x[i] = derivative(x[i]);
    store_gradients<kLogits, kGradient, Derivative::canonical>(
        to + pieces.offset_of_group(index) * gradient_bytes, aligned, x);
  }
};

template <DType kGradient>
__device__ void fill_gradient(std::byte* to, std::int64_t count, float value) {
  for (std::int64_t i = threadIdx.x; i < count; i += threads_per_block) {
    store_element<kGradient>(to + i * static_cast<std::int64_t>(size_of(kGradient)), value);
  }
}

template <DType kLogits, DType kGradient, class Derivative>
__device__ void differentiate(const std::byte* from, std::byte* to, std::int64_t count,
                              const Derivative& derivative) {
  DifferentiateTile<kLogits, kGradient, Derivative> visit(from, to, count, derivative);
  for_each_group(visit.pieces.groups, visit);
  visit.singles();
}

template <DType kLogits, DType kGradient, template <bool, bool> class Derivative, bool kCapped>
__device__ void differentiate_row(const std::byte* from, std::byte* to, std::int64_t count,
                                  const Transform& transform, const RowCoefficients& row) {
  using General = Derivative<kCapped, false>;
  if constexpr (General::plain_is_faster) {
    if (row.plain) {
      return differentiate<kLogits, kGradient>(from, to, count,
                                               Derivative<kCapped, true>(transform, row));
    }
  }
  differentiate<kLogits, kGradient>(from, to, count, General(transform, row));
}

template <DType kLogits, DType kGradient, template <bool, bool> class Derivative, bool kCapped>
__global__ void __launch_bounds__(threads_per_block, blocks_per_sm)
    write_gradient_kernel(WriteGradient call) {
  constexpr auto gradient_bytes = static_cast<std::int64_t>(size_of(kGradient));
  const Tiles tiles(call.logits.rows, call.gradient.width);
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    const Tile tile = tiles[index];
    const RowCoefficients row = call.rows[tile.row];
    const std::int64_t valid_end = tile.end < call.logits.columns ? tile.end : call.logits.columns;
    const std::int64_t valid = valid_end > tile.begin ? valid_end - tile.begin : 0;
    std::byte* const row_gradient =
        call.gradient.data + tile.row * call.gradient.row_stride * gradient_bytes;
    std::byte* const to = row_gradient + tile.begin * gradient_bytes;
    const std::byte* const from = element_at<kLogits>(call.logits, tile.row, tile.begin);

    if (row.kind == RowGradient::Kind::formula) {
      differentiate_row<kLogits, kGradient, Derivative, kCapped>(from, to, valid, call.transform,
                                                                 row);
    } else {
      fill_gradient<kGradient>(to, valid, row.kind == RowGradient::Kind::nan ? nanf("") : 0.0F);
    }
    fill_gradient<kGradient>(to + valid * gradient_bytes, tile.end - tile.begin - valid, 0.0F);

    __syncthreads();  // the elements at the targets may have been written by other threads
    for (int k = static_cast<int>(threadIdx.x); k < call.id_columns; k += threads_per_block) {
      const TargetGradient& target = call.target_gradients[tile.row * call.id_columns + k];
      if (target.column < tile.begin || target.column >= tile.begin + valid) continue;
      store_element<kGradient>(row_gradient + target.column * gradient_bytes, target.value);
    }
  }
}

}  // namespace vparity::cuda
