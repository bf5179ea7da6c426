// The kernels a framework would launch, one pass over fp32 each, on one row: vectorised as its
// elementwise kernels and reductions are, by Highway. Spans of one call are of equal size.
#pragma once

#include <cstddef>
#include <span>

#include "vparity/dtype.h"

namespace vparity::harness::baselines {

/// -inf of no element, NaN if one is NaN.
float maximum(std::span<const float> x);

/// Pairwise, as frameworks add: the error grows with the logarithm of the length.
float sum(std::span<const float> x);

/// sum p z; a p of 0 beside a z of -inf adds 0 (z is clamped to finite values, as
/// torch.distributions.Categorical.entropy does).
float sum_of_products(std::span<const float> p, std::span<const float> z);

void subtract(std::span<float> x, float c);  ///< x -= c
void divide(std::span<float> x, float c);    ///< x /= c

/// e^x, for x that is not positive; NaN stays NaN.
void exponentials(std::span<const float> x, std::span<float> out);

/// out = c x, a zero being +0.
void scaled(std::span<const float> x, float c, std::span<float> out);

/// out = max(x - c, the least finite number)
void finite_differences(std::span<const float> x, float c, std::span<float> out);

void multiply(std::span<float> x, std::span<const float> y);             ///< x *= y
void add_scaled(std::span<float> x, float c, std::span<const float> y);  ///< x += c y

/// Stored elements to fp32 (exact), and back (to nearest even); no alignment asked for.
void widen(DType dtype, const std::byte* from, std::span<float> to);
void narrow(DType dtype, std::span<const float> from, std::byte* to);

}  // namespace vparity::harness::baselines
