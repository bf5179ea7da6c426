// Compares the kernels' outputs on every grid with the reference and with values worked out by
// hand.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "reference/row_statistics.h"
#include "tests/support/sharded_problem.h"

namespace vparity::testing {

/// The outputs of the full-vocabulary reference with their bounds (semantics 7).
struct ReferenceOutcome {
  std::vector<reference::Bounded> logprob, entropy, lse, loss;
  std::vector<reference::Bounded> gradient;  ///< the bound includes half an ulp of the output type
  reference::Bounded loss_sum, loss_mean, entropy_mean;
  std::int64_t valid_tokens = 0;
  std::int64_t degenerate_rows = 0;
};
ReferenceOutcome solve_by_reference(const Problem& problem);

/// Values worked out by hand; empty ones are compared with the reference only.
struct ByHand {
  std::vector<double> logprob = {}, entropy = {}, loss = {};
  std::vector<double> gradient = {};  ///< [T, V]
  std::optional<double> loss_mean = {};
  std::optional<std::int64_t> valid_tokens = {};
};

/// Fails for each element whose error exceeds its bound, and for each value by hand that differs
/// from the reference.
void expect_outcome(const Outcome& outcome, const ReferenceOutcome& reference,
                    const ByHand& by_hand = {});

/// Solves the problem at TP 1, 2, 3, 4, 8 (as far as there are ranks for its DP size), in every
/// layout and mode (reproducible: without label smoothing), by two calls, by the fused one and by
/// the CUDA kernels on simulated devices, and examines each outcome on every rank.
void on_every_grid(const Problem& problem, const std::function<void(const Outcome&)>& examine);

/// on_every_grid() with expect_outcome().
void expect_on_every_grid(const Problem& problem, const ByHand& by_hand = {});

}  // namespace vparity::testing
