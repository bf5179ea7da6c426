// What is computed and how; the names and ranges are those of semantics 1 to 6.
#pragma once

#include <cstdint>
#include <optional>

namespace vparity {

/// `fast`: one all-gather of row partials per chunk. `gather`: all-gather of the logits, then the
/// full-vocabulary kernel; the same bits for every TP, layout, DP, batch and chunk. `reproducible`:
/// that promise without gathering, and for every instruction set; the sums of a group of rows
/// travel with the maxima of the next, in one all-gather more than there are groups. No label
/// smoothing.
enum class Mode : std::uint8_t { fast, gather, reproducible };

/// Whether the loss whose gradient is taken is the sum over valid rows or their mean over all DP
/// ranks.
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
  bool batch_invariant = false;  ///< the caller relies on bits that do not depend on TP or batch

  bool operator==(const Options&) const = default;
};

/// Throws ArgumentError naming the option, its value and its range; also for batch_invariant
/// together with mode `fast`.
void validate(const Options& options);

}  // namespace vparity
