#include "harness/case/inputs/weight_patterns.h"

#include <array>
#include <cmath>

namespace vparity::harness {
namespace {

using philox::Stream;

float one(const InputSpace&, Stream, std::int64_t, std::uint32_t) { return 1; }

float random_signed(const InputSpace& space, Stream stream, std::int64_t row,
                    std::uint32_t column) {
  return philox::normal(space.seed, stream, row, column);
}

/// Zero in half of the rows, each output in its own; row 0 is never and row 1 always zero, so that
/// two rows already hold both kinds.
float zeros_mixed(const InputSpace& space, Stream stream, std::int64_t row, std::uint32_t column) {
  const auto w = philox::words(space.seed, stream, row, column);
  const bool zero = row < 2 ? row == 1 : philox::chance(0.5, w[3]);
  return zero ? 0 : random_signed(space, stream, row, column);
}

/// As group-relative policy optimisation gives them: the rewards of `group` rows, less their mean,
/// over their standard deviation (Shao et al., "DeepSeekMath", 2024, section 4.1).
float advantage(const InputSpace& space, Stream stream, std::int64_t row, std::uint32_t column) {
  constexpr std::int64_t group = 8;
  const std::int64_t first = row / group * group;
  std::array<double, group> rewards{};
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < group; ++i) {
    const double reward = philox::normal(space.seed, stream, first + i, column);
    rewards[static_cast<std::size_t>(i)] = reward;
    sum += reward;
    squares += reward * reward;
  }
  const double mean = sum / group;
  const double deviation = std::sqrt(squares / group - mean * mean);
  return static_cast<float>((rewards[static_cast<std::size_t>(row - first)] - mean) / deviation);
}

/// In the order of WeightPattern.
constexpr std::array weight_patterns{one, random_signed, zeros_mixed, advantage};

}  // namespace

float upstream_weight(const InputSpace& space, Stream stream, std::int64_t row, int column) {
  const auto pattern = weight_patterns.at(static_cast<std::size_t>(space.parameters.weights));
  return pattern(space, stream, row, static_cast<std::uint32_t>(column));
}

}  // namespace vparity::harness
