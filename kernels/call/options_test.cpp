#include "vparity/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

void expect_refused(const Options& options, const char* message) {
  EXPECT_THAT([&] { validate(options); }, ThrowsMessage<ArgumentError>(HasSubstr(message)));
}

TEST(Options, DefaultsAndExtremesAreValid) {
  validate({});
  validate({.temperature = std::numeric_limits<float>::denorm_min(),
            .softcap = 1e-3F,
            .label_smoothing = 0.999F,
            .z_loss = 1,
            .ignore_index = std::numeric_limits<std::int64_t>::min(),
            .chunk = 1});
  validate({.mode = Mode::gather, .batch_invariant = true});
  validate({.mode = Mode::reproducible, .batch_invariant = true});
}

TEST(Options, EachRefusalNamesTheOptionAndItsValue) {
  for (const float bad : {0.0F, -1.0F, nan, infinity}) {
    expect_refused({.temperature = bad}, "temperature must be > 0");
    expect_refused({.softcap = bad}, "softcap must be > 0");
  }
  for (const float bad : {1.0F, -0.1F, nan}) {
    expect_refused({.label_smoothing = bad}, "label_smoothing must be in [0, 1)");
  }
  for (const float bad : {-1.0F, nan, infinity}) expect_refused({.z_loss = bad}, "z_loss");
  expect_refused({.chunk = -1}, "chunk must be >= 0 rows, got -1");
  expect_refused({.temperature = -0.5F}, "got -0.5");
}

TEST(Options, BatchInvariantWithFastSaysWhatToUse) {
  expect_refused({.batch_invariant = true}, "batch_invariant");
  expect_refused({.batch_invariant = true}, "use mode reproducible or gather");
}

TEST(Options, LabelSmoothingIsNotOfferedInReproducible) {
  expect_refused({.label_smoothing = 0.1F, .mode = Mode::reproducible}, "label_smoothing");
}

}  // namespace
}  // namespace vparity
