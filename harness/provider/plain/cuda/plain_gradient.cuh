// The gradient by kernels that are written to be read: double precision, a thread for each element,
// one function per step, each of which a known bug can replace.
#pragma once

#include <cmath>
#include <cstdint>

#include "device/kernels/gradient.cuh"
#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/tiles.cuh"
#include "row/gradient.h"

namespace vparity::harness::plain_cuda {

using Upstream = RowUpstream<cuda::DeviceIds>;

struct CoefficientSteps {
  __device__ static SavedRow saved(const cuda::FindCoefficients& call, std::int64_t row) {
    const bool with_smoothing = call.options.label_smoothing > 0;
    return {call.saved.row_max[row], call.saved.sum_minus_one[row], call.saved.entropy[row],
            with_smoothing ? call.saved.valid_columns[row] : 0};
  }
  /// What the chain rule through x / tau divides by.
  __device__ static float divisor(const Transform& transform) { return transform.temperature; }

  template <DType kType>
  __device__ static cuda::TargetGradient target(const cuda::FindCoefficients& call,
                                                const RowGradient& gradient,
                                                const Upstream& upstream, std::int64_t row, int k) {
    return cuda::target_gradient<kType>(call, gradient, upstream, row, k);
  }
};

template <DType kType, class Steps>
__global__ void coefficients_kernel(cuda::FindCoefficients call) {
  const int columns = call.targets.ids.columns();
  for (std::int64_t row = cuda::first_row_of_thread(); row < call.logits.rows;
       row += cuda::threads_of_grid()) {
    const Upstream upstream(call.targets.ids, call.upstream, row, call.options,
                            call.global_valid_tokens);
    const RowGradient gradient =
        row_gradient(upstream, columns, Steps::saved(call, row), call.options);
    const ScaledCoefficients scaled =
        exponential_coefficients(gradient, Steps::divisor(call.transform), false);
    call.rows[row] = {gradient.kind, scaled.plain(), gradient.max, scaled};
    for (int k = 0; k < columns; ++k) {
      call.target_gradients[row * columns + k] =
          gradient.kind == RowGradient::Kind::formula
              ? Steps::template target<kType>(call, gradient, upstream, row, k)
              : cuda::TargetGradient{-1, 0};
    }
  }
}

struct GradientSteps {
  __device__ static double slope(float x, const Transform& transform) {
    return vparity::detail::slope(transform, x);
  }
  __device__ static bool writes_row(const cuda::RowCoefficients&) { return true; }
};

/// grad_x without the one-hot part, from e^z (a + b z) + d.
template <class Steps>
__device__ float differential(float x, const Transform& transform,
                              const cuda::RowCoefficients& row) {
  if (row.kind != RowGradient::Kind::formula)
    return row.kind == RowGradient::Kind::nan ? nanf("") : 0.0F;
  if (x == -HUGE_VALF) return 0;
  const double z =
      (static_cast<double>(cuda::transformed(x, transform)) - row.max) / transform.temperature;
  const double e = std::exp(z);
  const double from_p = e > 0 ? e * (row.scaled.a + row.scaled.b * z) : 0;
  const double g = (from_p + row.scaled.d) * Steps::slope(x, transform);
  return static_cast<float>(g * row.scaled.scale[0] * row.scaled.scale[1]);
}

template <DType kLogits, DType kGradient, class Steps>
__global__ void gradient_kernel(cuda::WriteGradient call) {
  constexpr auto bytes = static_cast<std::int64_t>(size_of(kGradient));
  const cuda::Tiles tiles(call.logits.rows, call.gradient.width);
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    const cuda::Tile tile = tiles[index];
    const cuda::RowCoefficients& row = call.rows[tile.row];
    std::byte* const to = call.gradient.data + tile.row * call.gradient.row_stride * bytes;
    if (!Steps::writes_row(row)) continue;
    for (std::int64_t c = tile.begin + threadIdx.x; c < tile.end; c += cuda::threads_per_block) {
      const bool valid = c < call.logits.columns;
      const float x = valid ? cuda::stored_logit<kLogits>(call.logits, tile.row, c) : 0;
      cuda::store_element<kGradient>(to + c * bytes,
                                     valid ? differential<Steps>(x, call.transform, row) : 0);
    }
    __syncthreads();  // the targets' elements have been written by whoever they fell to
    for (int k = static_cast<int>(threadIdx.x); k < call.id_columns; k += cuda::threads_per_block) {
      const cuda::TargetGradient& target = call.target_gradients[tile.row * call.id_columns + k];
      if (target.column < tile.begin || target.column >= tile.end) continue;
      cuda::store_element<kGradient>(to + target.column * bytes, target.value);
    }
  }
}

}  // namespace vparity::harness::plain_cuda
