// From what each rank found to one verdict that all ranks share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/comparison.h"
#include "harness/check/fixed_text.h"
#include "harness/check/occurrence.h"
#include "reports/model.h"

namespace vparity::harness {

/// One rank's findings; trivially copyable, so that ranks can exchange them.
struct Findings {
  explicit Findings(DType gradient_dtype) : comparisons(gradient_dtype) {}
  Findings() : Findings(DType::fp32) {}

  Comparisons comparisons;
  Occurrence occurrence;
  GlobalResults global;  ///< of the first rank; all are the same unless `disagreement` says so
  bool inputs_unchanged = true;
  bool guards_intact = true;
  std::int64_t unwritten_elements = 0;
  FixedText disagreement;  ///< empty: none

  void combine(const Findings& other);
};

/// Collective: the findings of all ranks, combined in rank order.
Findings combine_findings(Communicator& world, const Findings& own);

/// Results that are no output of their own: loss_sum, and the counts, which must be exact.
std::vector<reports::Invariant> global_invariants(const GlobalResults& actual,
                                                  const reference::GlobalAccumulator& expected);

/// All that is wrong, in one line; nothing if all is right.
std::optional<reports::Reason> failure_of(const Findings& findings,
                                          const std::vector<reports::Invariant>& invariants);

}  // namespace vparity::harness
