#include "cpu/log_sum.h"

#include <cmath>

#include "reproducible/elementary_functions.h"

namespace vparity::cpu {

double log_sum(float sum_minus_one, bool reproducible) {
  const double rest = sum_minus_one;
  // Then s is a multiple of 2^-40, to which 1 is added without rounding, or large.
  return reproducible ? vparity::reproducible::log(1 + rest) : std::log1p(rest);
}

}  // namespace vparity::cpu
