#include "cpu/one_hot.h"

#include <cmath>
#include <limits>

namespace vparity::cpu {
namespace {

/// f'(x); 1 - tanh^2 = 1 / cosh^2.
double slope(const Transform& transform, double x) {
  if (transform.softcap == 0) return 1;
  const double cosh = std::cosh(x / transform.softcap);
  return 1 / (cosh * cosh);
}

/// grad_y at a valid column.
double logit_gradient(const RowGradient& row, double log_p, double weight) {
  const double p = std::exp(log_p);
  if (p == 0) return weight + row.d;
  const double entropy_part = p * row.b * log_p;
  // p A + weight: of a confident target both are near the same size with opposite signs, and
  // p A = A + (p - 1) A keeps what is left.
  const double logprob_part =
      p < 0.5 ? p * row.a + weight : (row.a + weight) + std::expm1(log_p) * row.a;
  return logprob_part + entropy_part + row.d;
}

}  // namespace

double one_hot_gradient(const RowGradient& row, const Transform& transform, float x, float f,
                        double weight) {
  const bool masked = x == -std::numeric_limits<float>::infinity();
  const double z = (static_cast<double>(f) - row.max) / transform.temperature;
  const double grad_y = masked ? weight : logit_gradient(row, z - row.log_sum(), weight);
  return grad_y * slope(transform, x) / transform.temperature;
}

}  // namespace vparity::cpu
