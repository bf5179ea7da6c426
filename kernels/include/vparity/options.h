// Options of the calls. Names and ranges are those of semantics 1 to 6 (docs/semantics.md).
#pragma once

#include <cstdint>
#include <optional>

namespace vparity {

/// `fast`: one all-gather of row partials per chunk.
/// `gather`: all-gather of the logits, then the full-vocabulary kernel. The bits are the same for
/// every TP, layout, DP, batch and chunk.
/// `reproducible`: the same promise without gathering the logits, and also for every instruction
/// set. The sums of a group of rows travel with the maxima of the next group, so
/// G groups take G + 1 all-gathers. Label smoothing is not available.
enum class Mode : std::uint8_t { fast, gather, reproducible };

/// The loss that is differentiated: the sum over the valid rows of all DP ranks, or their mean.
enum class Reduction : std::uint8_t { sum, mean };

struct Options {
  float temperature = 1.0F;           ///< tau > 0
  std::optional<float> softcap = {};  ///< c > 0: logits pass through c tanh(x / c)
  float label_smoothing = 0.0F;       ///< eps in [0, 1), over the valid columns of the row
  float z_loss = 0.0F;                ///< lambda >= 0
  std::int64_t ignore_index = -100;   ///< any value, also one inside [0, V)
  Reduction reduction = Reduction::sum;
  std::int64_t chunk = 0;  ///< rows per collective; 0: all rows in one
  Mode mode = Mode::fast;
  bool batch_invariant = false;  ///< require bits that do not depend on TP or batch

  bool operator==(const Options&) const = default;
};

/// Throws ArgumentError with the option, its value and its range; also for batch_invariant together
/// with mode `fast`, and for label smoothing in mode `reproducible`.
void validate(const Options& options);

}  // namespace vparity
