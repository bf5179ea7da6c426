#include "cpu/one_hot.h"

#include <cmath>
#include <limits>

#include "cpu/log_sum.h"
#include "reproducible/elementary_functions.h"

namespace vparity::cpu {
namespace {

double exp_of(double x, bool reproducible) {
  if (!reproducible) return std::exp(x);
  return x < -700 ? 0 : vparity::reproducible::exp(x);
}

double expm1_of(double x, bool reproducible) {
  return reproducible ? vparity::reproducible::expm1(x) : std::expm1(x);
}

/// f'(x); 1 - tanh^2 = 1 / cosh^2.
double slope(const Transform& transform, float x) {
  if (transform.softcap == 0) return 1;
  if (transform.reproducible) return vparity::reproducible::softcap(x, transform.softcap).slope;
  const double cosh = std::cosh(double{x} / transform.softcap);
  return 1 / (cosh * cosh);
}

/// grad_y at a valid column.
double logit_gradient(const RowGradient& row, double log_p, double weight, bool reproducible) {
  const double p = exp_of(log_p, reproducible);
  if (p == 0) return weight + row.d;
  const double entropy_part = p * row.b * log_p;
  // p A + weight: of a confident target both are near the same size with opposite signs, and
  // p A = A + (p - 1) A keeps what is left.
  const double logprob_part =
      p < 0.5 ? p * row.a + weight : (row.a + weight) + expm1_of(log_p, reproducible) * row.a;
  return logprob_part + entropy_part + row.d;
}

}  // namespace

double one_hot_gradient(const RowGradient& row, const Transform& transform, float x, float f,
                        double weight) {
  const bool masked = x == -std::numeric_limits<float>::infinity();
  const double z = (static_cast<double>(f) - row.max) / transform.temperature;
  const double log_p = z - log_sum(row.sum_minus_one, transform.reproducible);
  const double grad_y =
      masked ? weight : logit_gradient(row, log_p, weight, transform.reproducible);
  return grad_y * slope(transform, x) / transform.temperature;
}

}  // namespace vparity::cpu
