// All outputs of one problem against the reference, on one rank.
#pragma once

#include <array>
#include <vector>

#include "harness/rank/element_comparison/compare.h"
#include "harness/rank/element_comparison/expectation.h"
#include "harness/rank/element_comparison/output.h"
#include "harness/rank/element_comparison/row_invariants.h"
#include "harness/rank/execution/kernel_run.h"

namespace vparity::harness {

/// One comparison per output, in the order of Output.
class Comparisons {
 public:
  explicit Comparisons(DType gradient_dtype);

  OutputComparison& operator[](Output output) { return all_[static_cast<std::size_t>(output)]; }
  const std::array<OutputComparison, output_names.size()>& all() const { return all_; }
  void combine(const Comparisons& other);

 private:
  std::array<OutputComparison, output_names.size()> all_;
};

/// What one rank found.
struct Compared {
  explicit Compared(DType gradient_dtype) : right(gradient_dtype), naive(gradient_dtype) {}

  Comparisons right;  ///< what the kernels under test gave, each element against its bound
  Comparisons naive;  ///< what a naive kernel would have given, on elements that have a bound
  std::vector<OwnGradientSum> gradient_sums;  ///< of rows whose gradient sums to 0
  Deviation entropy_range;
  RowSums row_sums;
};

/// Compares what this rank answers for, so that each element is looked at once: the rows it made
/// the reference of, the whole gradient of its shard, on world rank 0 the means. O(V) memory.
Compared compare_outputs(const Expectation& expected, const KernelRun& run);

}  // namespace vparity::harness
