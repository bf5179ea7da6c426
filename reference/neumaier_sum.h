// Compensated summation (A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation
// endlicher Summen, ZAMM 54, 1974).
#pragma once

#include <cmath>

namespace vparity::reference {

/// The error of total() is about one rounding of the result, however many terms there are. Terms
/// are finite: the compensation would make an infinity a NaN.
struct NeumaierSum {
  double value = 0;
  double compensation = 0;

  void add(double term) {
    const double sum = value + term;
    compensation += std::abs(value) >= std::abs(term) ? (value - sum) + term : (term - sum) + value;
    value = sum;
  }

  double total() const { return value + compensation; }
};

}  // namespace vparity::reference
