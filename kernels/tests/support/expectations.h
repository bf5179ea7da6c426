// Values worked out by hand, or by the reference, against what the kernels give on every grid.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reference/row_statistics.h"
#include "tests/support/sharded_problem.h"

namespace vparity::testing {

/// What the full-vocabulary reference says of a problem: values and the errors that semantics 7
/// allows.
struct ReferenceOutcome {
  std::vector<reference::Bounded> logprob, entropy, lse, loss;
  std::vector<reference::Bounded> gradient;  ///< the bound includes half an ulp of the output type
  reference::Bounded loss_sum, loss_mean, entropy_mean;
  std::int64_t valid_tokens = 0;
  std::int64_t degenerate_rows = 0;
};
ReferenceOutcome solve_by_reference(const Problem& problem);

/// Values that a person has worked out; those left empty are the reference's alone.
struct ByHand {
  std::vector<double> logprob = {}, entropy = {}, loss = {};
  std::vector<double> gradient = {};  ///< [T, V]
  std::optional<double> loss_mean = {};
  std::optional<std::int64_t> valid_tokens = {};
};

/// Fails for each element that is further from its value than the bound allows, and for each value
/// by hand that is not the reference's.
void expect_outcome(const Outcome& outcome, const ReferenceOutcome& reference,
                    const ByHand& by_hand = {});

/// Solves the problem at TP 1, 2, 3, 4, 8 (as far as there are ranks for its DP size), in every
/// layout and mode (reproducible: without label smoothing), by two calls, by the fused one and by
/// the CUDA kernels on simulated devices, and examines each outcome on every rank.
void on_every_grid(const Problem& problem, const std::function<void(const Outcome&)>& examine);

/// Both together.
void expect_on_every_grid(const Problem& problem, const ByHand& by_hand = {});

}  // namespace vparity::testing
