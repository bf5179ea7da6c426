// A case's inputs as pure functions of (seed, global row, global column): any rank can make any
// part of them, and every TP size, layout and mode sees the very same logits. Random numbers are
// Random123's Philox4x32-10, one stream per kind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/case/inputs/input_space.h"
#include "harness/case/operands.h"
#include "harness/case/parameters.h"

namespace vparity::harness {

class CaseInputs final : public Operands {
 public:
  CaseInputs(const CaseParameters& parameters, std::uint64_t seed);

  const std::vector<std::int64_t>& dp_rows() const override { return space_.dp_rows; }
  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override;
  std::int64_t id(std::int64_t row, int column) const override;
  float grad_logprob(std::int64_t row, int column) const override;
  float grad_entropy(std::int64_t row) const override;
  float grad_loss(std::int64_t row) const override;

 private:
  InputSpace space_;
};

/// Why a pattern of these parameters cannot occur (one_shard at tp 1, padding without padding
/// columns, ...); empty if it can.
std::string impossible_pattern(const CaseParameters& parameters);

}  // namespace vparity::harness
