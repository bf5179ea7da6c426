// f(x) on a device.
#pragma once

#include <cmath>

#include "device/kernels/language.cuh"
#include "reproducible/elementary_functions.h"
#include "row/transform.h"

namespace vparity::cuda {

/// c tanh(x / c), in double as on the host: z's error bound leaves 2 u |f| for all of f (semantics
/// 7). Infinities and NaN pass unchanged: masks are decided on the stored value. In every mode by
/// the functions of `reproducible`, so that there is one definition.
__device__ inline float capped(float x, float c) {
  return std::isfinite(x) ? static_cast<float>(reproducible::softcap(x, c).value) : x;
}

/// f of one stored logit, the same bits in every kernel.
__device__ inline float transformed(float x, const Transform& transform) {
  return transform.softcap == 0 ? x : capped(x, transform.softcap);
}

}  // namespace vparity::cuda
