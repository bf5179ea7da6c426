// Oracle of the reference's own tests: one row in 128-bit arithmetic (libquadmath). Written from
// the definitions of softmax, entropy and cross-entropy and their textbook derivatives, not from
// the centred forms of the reference.
#pragma once

#include <quadmath.h>

#include <cstdint>
#include <span>
#include <vector>

#include "reference/row_statistics.h"

namespace vparity::reference {

__extension__ typedef __float128 Quad;

/// A row without NaN and +inf, with at least one valid column.
class QuadRow {
 public:
  QuadRow(std::vector<Quad> logits, std::span<const std::int64_t> ids,
          const Parameters& parameters);

  Quad logprob(std::size_t k) const;
  Quad entropy() const { return entropy_; }
  Quad lse() const { return lse_; }
  Quad loss() const;

  /// The function whose derivative is the gradient: sum_k g_k logprob_k + g_H H + g_L loss.
  Quad objective(const Upstream& upstream) const;

  /// d objective / d x_v of a valid column.
  Quad gradient(const Upstream& upstream, std::int64_t v) const;

 private:
  bool is_ignored(std::size_t k) const { return ids_[k] == parameters_.ignore_index; }

  std::vector<Quad> logits_;
  std::vector<std::int64_t> ids_;
  Parameters parameters_;
  std::vector<Quad> log_p_;  // -inf where masked
  Quad valid_columns_ = 0;
  Quad lse_ = 0;
  Quad entropy_ = 0;
};

}  // namespace vparity::reference
