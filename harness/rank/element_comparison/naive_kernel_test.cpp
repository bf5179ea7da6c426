#include "harness/rank/element_comparison/naive_kernel.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace vparity::harness {
namespace {

using reference::Format;
using reference::Parameters;
using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

using Row = std::vector<float>;
using Ids = std::vector<std::int64_t>;
constexpr float masked = -std::numeric_limits<float>::infinity();
constexpr double fp32 = 1e-6;

NaiveRow forward(Format format, const Row& logits, const Ids& ids,
                 const Parameters& parameters = {}) {
  return NaiveKernel(format, parameters)
      .forward(logits, reference::row_statistics(logits, ids, parameters));
}

std::vector<double> gradient(Format format, const Row& logits, const Ids& ids,
                             const reference::Upstream& upstream,
                             const Parameters& parameters = {}) {
  const auto row = reference::row_gradient(reference::row_statistics(logits, ids, parameters),
                                           upstream, parameters);
  std::vector<double> out(logits.size());
  NaiveKernel(format, parameters)
      .backward(forward(format, logits, ids, parameters), row, 0, logits, out);
  return out;
}

TEST(NaiveKernel, ComputesTheRightThingOnASmallRow) {
  // p = (0.665241, 0.244728, 0.090031), L = lse = 0.407606, H = 0.832396
  const Row logits{0, -1, -2};
  const Parameters parameters{.label_smoothing = 0.25, .z_loss = 0.5};
  const NaiveRow row = forward(Format::fp32, logits, {1, -100}, parameters);
  EXPECT_THAT(row.lse, DoubleNear(0.407606, fp32));
  EXPECT_THAT(row.entropy, DoubleNear(0.832396, fp32));
  EXPECT_THAT(row.logprob, ElementsAre(DoubleNear(-1.407606, fp32), 0));
  // 3/4 of 1.407606, 1/4 of the mean of (0.407606, 1.407606, 2.407606), and lse^2 / 2
  EXPECT_THAT(row.loss, DoubleNear(1.407606 + 0.083071, fp32));
}

TEST(NaiveKernel, ItsGradientIsRightOnASmallRow) {
  EXPECT_THAT(gradient(Format::fp32, {0, 0}, {1}, {.loss = 1}), ElementsAre(0.5, -0.5));
  EXPECT_THAT(gradient(Format::fp32, {0, masked, 0}, {1}, {{3}, 0, 1}, {.temperature = 0.5}),
              ElementsAre(-2, 4, -2));
  const Row logits{0, -1, -2};
  const Parameters parameters{.softcap = 3, .label_smoothing = 0.25};
  const reference::Upstream upstream{{0.5, -2}, 0.75, 1};
  const auto right = reference::row_gradient(
      reference::row_statistics(logits, Ids{1, 2}, parameters), upstream, parameters);
  const auto naive = gradient(Format::fp32, logits, {1, 2}, upstream, parameters);
  for (std::size_t v = 0; v < 3; ++v)
    EXPECT_THAT(
        naive[v],
        DoubleNear(reference::gradient(right, static_cast<std::int64_t>(v), logits[v]).value,
                   fp32));
}

TEST(NaiveKernel, LeavesMaskedColumnsOut) {
  const NaiveRow row = forward(Format::fp32, {0, masked, 0}, {0});
  EXPECT_THAT(row.entropy, DoubleNear(std::log(2), fp32));
  EXPECT_THAT(row.lse, DoubleNear(std::log(2), fp32));
}

// bf16 has 8 bits: 256 + 1 is 256. log 256 = 5.5452, whose neighbours are 5.53125 and 5.5625.
TEST(NaiveKernel, ItsSumStopsGrowing) {
  const NaiveRow row = forward(Format::bf16, Row(1000, 0), {3});
  EXPECT_EQ(row.sum, 256);
  EXPECT_EQ(row.lse, 5.53125);
  EXPECT_THAT(row.logprob, ElementsAre(-5.53125));
}

// p = 0.99975 is 1 in bf16, and 1 - 1 is no gradient.
TEST(NaiveKernel, RoundsTheProbabilityBeforeTheOneHotIsSubtracted) {
  EXPECT_THAT(gradient(Format::bf16, {0, 8.25}, {1}, {.loss = 1}).at(1), DoubleEq(0));
  EXPECT_LT(gradient(Format::fp32, {0, 8.25}, {1}, {.loss = 1}).at(1), -2e-4);
}

TEST(NaiveKernel, MakesNothingOfARowWithoutNumbers) {
  for (const Row& logits : {Row{0, NAN}, Row{masked, masked}}) {
    const NaiveRow row = forward(Format::fp32, logits, {0});
    EXPECT_EQ(row.lse, 0);
    EXPECT_THAT(row.logprob, ElementsAre(0));
  }
}

}  // namespace
}  // namespace vparity::harness
