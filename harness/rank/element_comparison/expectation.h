// The reference of one data-parallel group's rows, made by the ranks of its TP group together: row
// t by TP rank t mod tp, whole rows, one at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/case/operands.h"
#include "harness/provider/provider.h"
#include "harness/rank/element_comparison/naive_kernel.h"
#include "harness/rank/execution/occurrence.h"
#include "harness/rank/ranks/process_grid.h"
#include "reference/global_results.h"
#include "reference/row_statistics.h"

namespace vparity::harness {

/// What the reference makes of a row, and what a naive kernel would.
struct ExpectedRow {
  reference::RowStatistics right;
  NaiveRow naive;
};

/// The sums of all rows, right and naive.
struct ExpectedSums {
  reference::GlobalAccumulator right;
  reference::GlobalAccumulator naive;

  void add(const ExpectedRow& row);
  void combine(const ExpectedSums& other);
};

/// What this rank made: `rows` are its own ones, in order.
struct OwnExpectation {
  std::vector<ExpectedRow> rows;
  ExpectedSums sums;
  Occurrence occurrence;
};

/// Whose row `t` of a data-parallel rank is.
inline int owner_of_row(std::int64_t t, int tp) { return static_cast<int>(t % tp); }

/// Local; O(V) memory at a time. Throws std::out_of_range for an id that the provider should
/// have refused.
OwnExpectation make_own_expectation(const Operands& operands, const Problem& problem,
                                    const VocabularySplit& split, const ProcessGrid& grid);

/// What all rows of this data-parallel rank are expected to give, and the job's sums.
struct Expectation {
  std::vector<ExpectedRow> rows;
  ExpectedSums sums;
};

/// Collective over the grid; exchanges O(T) numbers.
Expectation share_expectation(const OwnExpectation& own, const Operands& operands,
                              const Problem& problem, const ProcessGrid& grid);

}  // namespace vparity::harness
