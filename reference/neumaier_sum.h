// Compensated summation (A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation
// endlicher Summen, ZAMM 54, 1974).
#pragma once

#include <cmath>

namespace vparity::reference {

/// The error of total() is about one rounding of the result, however many terms there are.
/// Infinities and NaN come out as plain addition would give them.
struct NeumaierSum {
  double value = 0;
  double compensation = 0;

  void add(double term) {
    const double sum = value + term;
    const double lost =
        std::abs(value) >= std::abs(term) ? (value - sum) + term : (term - sum) + value;
    if (std::isfinite(sum)) compensation += lost;  // inf - inf would make an infinity a NaN
    value = sum;
  }

  double total() const { return std::isfinite(value) ? value + compensation : value; }
};

}  // namespace vparity::reference
