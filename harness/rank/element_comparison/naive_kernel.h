// The kernel one writes first: all arithmetic in the logits' storage type, sums one column after
// the other, the logarithm of exp / sum. Special values are treated as semantics demands, so that
// what is left is the error of such arithmetic: what the bounds would have let through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/row_statistics.h"
#include "reference/storage_format.h"

namespace vparity::harness {

/// Numbers of the storage type. All 0 for a row that is not finite.
struct NaiveRow {
  double max = 0;  ///< of f(x) / tau
  double sum = 0;  ///< of e^(f(x) / tau - max)
  double entropy = 0;
  double lse = 0;
  double loss = 0;
  std::vector<double> logprob;  ///< [K]; 0 for an ignored id
};

class NaiveKernel {
 public:
  NaiveKernel(reference::Format format, const reference::Parameters& parameters)
      : format_(format), parameters_(parameters) {}

  /// `row`: the reference of the same logits, for its kind, ids and count of valid columns.
  NaiveRow forward(std::span<const float> logits, const reference::RowStatistics& row) const;

  /// The gradient of the columns [begin, begin + logits.size()) of a finite row.
  /// out.size() == logits.size().
  void backward(const NaiveRow& row, const reference::RowGradient& upstream, std::int64_t begin,
                std::span<const float> logits, std::span<double> out) const;

 private:
  struct Transformed {
    double y;      ///< f(x) / tau
    double slope;  ///< f'(x)
  };
  struct Coefficients {
    double a, b, d;
  };

  double rounded(double value) const;
  Transformed transformed(float x) const;
  double exponential(float x, double max) const;
  double loss(const NaiveRow& row, double mean_log_p) const;
  Coefficients coefficients(const NaiveRow& row, const reference::RowGradient& upstream) const;
  double gradient(const NaiveRow& row, const Coefficients& of, float x, double one_hot) const;

  reference::Format format_;
  reference::Parameters parameters_;
};

}  // namespace vparity::harness
