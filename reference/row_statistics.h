// The reference: one row, full vocabulary, double precision (docs/semantics.md, sections 1 to 3
// and 7).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vparity::reference {

/// fp32 in every file and API; exact in double.
struct Parameters {
  double temperature = 1;
  std::optional<double> softcap = std::nullopt;
  double label_smoothing = 0;
  double z_loss = 0;
  std::int64_t ignore_index = -100;
  bool sums_on_grid = false;  ///< mode `reproducible`: its grid of 2^-40 adds to the bounds
};

/// A value and the error that a correct fp32 kernel may have: |actual - value| <= bound (C u e of
/// semantics 7).
struct Bounded {
  double value = 0;
  double bound = 0;  ///< 0: only the exact value passes
};

enum class RowKind : std::uint8_t {
  finite,
  poisoned,   ///< a NaN or +inf in a valid column: NaN in every output
  degenerate  ///< no valid column
};

/// The outputs of a row, and everything that its gradient follows from.
struct RowStatistics {
  RowKind kind = RowKind::finite;
  std::int64_t vocab = 0;
  std::int64_t valid_columns = 0;  ///< n
  double max = 0;                  ///< F
  double log_sum = 0;              ///< L
  std::vector<std::int64_t> ids;   ///< [K], as given
  std::vector<double> target;      ///< [K], f(x_id_k); 0 for an ignored id
  std::vector<Bounded> logprob;    ///< [K]
  Bounded entropy;
  Bounded lse;
  Bounded loss;
  bool valid = false;    ///< id column 0 is not ignored
  double e_log_sum = 0;  ///< e_L
  double e_entropy = 0;  ///< e_H
  double e_lse = 0;      ///< e_lse
};

/// `logits`: the stored values of columns [0, V). An ignored id has logprob 0, and in column 0 loss
/// 0, for any row. Ids do not affect entropy and lse (semantics 5). Throws std::out_of_range for an
/// id outside [0, V) that is not ignore_index.
RowStatistics row_statistics(std::span<const float> logits, std::span<const std::int64_t> ids,
                             const Parameters& parameters);

/// Upstream gradients of one row. `loss` is already divided by the global count if the reduction is
/// the mean.
struct Upstream {
  std::vector<double> logprob = {};  ///< g_k, [K]; empty: 0
  double entropy = 0;                ///< g_H
  double loss = 0;                   ///< g_L
};

/// The coefficients of a row's gradient, computed once per row. The upstream gradient of an ignored
/// id counts as 0; for id column 0, that of the loss too (rule 2).
struct RowGradient {
  RowStatistics row;
  Parameters parameters;
  Upstream upstream;      ///< with the ignored ids' entries set to 0
  bool all_zero = false;  ///< rule 2: +0 everywhere
  double a = 0, b = 0, d = 0;
  double weight = 0;  ///< G_v without its log p_v term
};
RowGradient row_gradient(const RowStatistics& row, const Upstream& upstream,
                         const Parameters& parameters);

/// d/dx_v for global column v < V with stored logit x. `bound` is r of semantics 7, to which the
/// element comparison adds half an ulp of the output type. It is 0 where a rule demands the exact
/// value.
Bounded gradient(const RowGradient& row, std::int64_t v, float x);

/// The gradient of the consecutive columns [begin, begin + logits.size()), for whole shards: one
/// exponential per element and no search for ids. out.size() == logits.size().
void gradient(const RowGradient& row, std::int64_t begin, std::span<const float> logits,
              std::span<Bounded> out);

/// C and k of the bounds.
inline constexpr double bound_factor = 2;
int bound_terms(std::int64_t vocab);

}  // namespace vparity::reference
