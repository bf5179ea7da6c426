#include "vparity/options.h"

#include <fmt/format.h>

#include <string_view>

#include "vparity/errors.h"

namespace vparity {
namespace {

// Comparisons are written so that NaN fails.
void require(bool ok, std::string_view option, float value, std::string_view range) {
  if (!ok) throw ArgumentError(fmt::format("{} must be {}, got {}", option, range, value));
}

constexpr float largest = 3.402823466e38F;  // of fp32; anything above is an infinity

}  // namespace

void validate(const Options& options) {
  require(options.temperature > 0 && options.temperature <= largest, "temperature",
          options.temperature, "> 0 and finite");
  const float softcap = options.softcap.value_or(1);
  require(softcap > 0 && softcap <= largest, "softcap", softcap, "> 0 and finite");
  require(options.label_smoothing >= 0 && options.label_smoothing < 1, "label_smoothing",
          options.label_smoothing, "in [0, 1)");
  require(options.z_loss >= 0 && options.z_loss <= largest, "z_loss", options.z_loss,
          ">= 0 and finite");
  if (options.chunk < 0) {
    throw ArgumentError(fmt::format("chunk must be >= 0 rows, got {}", options.chunk));
  }
  if (options.batch_invariant && options.mode == Mode::fast) {
    throw ArgumentError(
        "batch_invariant is not possible with mode fast, whose bits depend on TP; use mode "
        "reproducible or gather");
  }
  if (options.label_smoothing > 0 && options.mode == Mode::reproducible) {
    throw ArgumentError("label_smoothing is not offered in mode reproducible; use mode gather");
  }
}

}  // namespace vparity
