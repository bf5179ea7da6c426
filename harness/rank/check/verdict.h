// From what each rank found to one verdict that all ranks share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/rank/check/agreement.h"
#include "harness/rank/element_comparison/comparison.h"
#include "harness/rank/execution/occurrence.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// One rank's findings; trivially copyable, so that ranks can exchange them.
struct Findings {
  explicit Findings(DType gradient_dtype) : comparisons(gradient_dtype), naive(gradient_dtype) {}
  Findings() : Findings(DType::fp32) {}

  Comparisons comparisons;
  Comparisons naive;  ///< what a naive kernel would have given
  Deviation gradient_row_sum;
  Deviation entropy_range;
  RowSums row_sums;
  Occurrence occurrence;
  GlobalResults global;  ///< of the first rank; all are the same unless `disagreement` says so
  bool inputs_unchanged = true;
  bool guards_intact = true;
  std::int64_t unwritten_elements = 0;
  Disagreement disagreement;

  void combine(const Findings& other);
};

/// Collective: the findings of all ranks, combined in rank order.
Findings combine_findings(Communicator& world, const Findings& own);

/// An invariant and, for messages, where it was nearest to its bound; empty: it has no place.
struct PlacedInvariant {
  reports::Invariant invariant;
  std::string place;
};

/// Nothing where it did not hold for anything to begin with.
std::optional<PlacedInvariant> invariant_of(std::string_view name, const Deviation& deviation);

/// What needs no further run: results that are no output of their own (loss_sum, and the counts,
/// which must be exact), sums against the rows that were given, what is true of any row.
std::vector<PlacedInvariant> invariants_of(const Findings& findings,
                                           const reference::GlobalAccumulator& expected);

/// All that is wrong, in one line; nothing if all is right.
std::optional<reports::Reason> failure_of(const Findings& findings,
                                          const std::vector<PlacedInvariant>& invariants);

}  // namespace vparity::harness
