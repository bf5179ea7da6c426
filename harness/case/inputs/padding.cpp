#include "harness/case/inputs/padding.h"

#include <algorithm>
#include <limits>

#include "harness/case/inputs/philox.h"
#include "harness/case/storage.h"

namespace vparity::harness {
namespace {

/// Above the maximum of every pattern and inside every type's range: `large_offset` reaches about
/// 1.1e4, `extreme` the type's largest value.
float above_the_row(const CaseParameters& parameters) {
  if (parameters.logits != LogitsPattern::extreme) return 12000;
  return static_cast<float>(reference::largest_finite(format_of(parameters.dtype)));
}

}  // namespace

void fill_padding(const InputSpace& space, std::int64_t row, std::int64_t begin,
                  std::span<float> out) {
  if (space.parameters.mask != MaskPattern::padding) {
    std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  philox::fill_normal(space.seed, philox::Stream::padding, row, begin, out);
  const float floor = above_the_row(space.parameters);
  for (float& x : out) x = std::min(floor, floor + x);
}

}  // namespace vparity::harness
