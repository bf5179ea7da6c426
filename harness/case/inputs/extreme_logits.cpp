#include "harness/case/inputs/extreme_logits.h"

#include <array>
#include <cmath>
#include <vector>

#include "harness/case/inputs/philox.h"
#include "harness/case/storage.h"
#include "reference/storage_format.h"

namespace vparity::harness {
namespace {

/// The ends of one storage type.
struct Range {
  float largest;
  float least_subnormal;
  int least_exponent;  ///< of the smallest subnormal
  int greatest_exponent;
};

Range range_of(DType dtype) {
  const reference::Format format = format_of(dtype);
  const double largest = reference::largest_finite(format);
  const double least = 2 * reference::half_ulp(format, 0);
  return {static_cast<float>(largest), static_cast<float>(least), std::ilogb(least),
          std::ilogb(largest)};
}

float near_largest(const Range& range, std::uint32_t word) {
  const float magnitude = (word & 2U) != 0 ? range.largest : range.largest / 2;
  return (word & 1U) != 0 ? magnitude : -magnitude;
}

float subnormal_or_zero(const Range& range, std::uint32_t word) {
  const float magnitude = static_cast<float>(word >> 29) * range.least_subnormal;
  return (word & 1U) != 0 ? magnitude : -magnitude;
}

float any_magnitude(const Range& range, std::uint32_t word) {
  const int exponents = range.greatest_exponent - range.least_exponent + 1;
  const auto exponent = static_cast<int>(philox::below(exponents, word)) + range.least_exponent;
  const float magnitude = std::ldexp(1.0F, exponent);
  return (word & 1U) != 0 ? magnitude : -magnitude;
}

float mostly_lowest(const Range& range, std::uint32_t word) {
  return word >> 29 != 0 ? -range.largest : static_cast<float>(word & 7U);
}

constexpr std::array kinds{near_largest, subnormal_or_zero, any_magnitude, mostly_lowest};

}  // namespace

void extreme(const InputSpace& space, std::int64_t row, std::int64_t begin, std::span<float> out) {
  std::vector<std::uint32_t> words(out.size());
  philox::fill_words(space.seed, philox::Stream::logits, row, begin, words);
  const Range range = range_of(space.parameters.dtype);
  const auto kind = kinds[static_cast<std::size_t>(row) % kinds.size()];
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kind(range, words[i]);
}

}  // namespace vparity::harness
