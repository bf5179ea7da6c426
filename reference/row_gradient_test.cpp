// Closed forms, the rules of semantics 3 and the bound by hand. Against central differences:
// quad_reference_test.cpp.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "reference/row_statistics.h"

namespace vparity::reference {
namespace {

using Row = std::vector<float>;
using Ids = std::vector<std::int64_t>;
using testing::DoubleNear;
using testing::IsNan;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr double fp64 = 1e-15;
constexpr double float_logits = 1e-7;  // ln 2 and ln 4 as floats
const double ln2 = std::log(2.0);
const Row eighths{0, 0, std::log(2.0F), std::log(4.0F)};  // p = 1/8, 1/8, 1/4, 1/2

std::vector<Bounded> gradients(const Row& logits, const Ids& ids, const Upstream& upstream,
                               const Parameters& parameters = {}) {
  const RowStatistics row = row_statistics(logits, ids, parameters);
  std::vector<Bounded> out(logits.size());
  gradient(row_gradient(row, upstream, parameters), 0, logits, out);
  return out;
}

std::vector<double> values(const std::vector<Bounded>& elements) {
  std::vector<double> result;
  for (const Bounded& element : elements) result.push_back(element.value);
  return result;
}

testing::Matcher<std::vector<double>> near(const std::vector<double>& expected, double tolerance) {
  return testing::Pointwise(testing::DoubleNear(tolerance), expected);
}

void expect_positive_zero(const Bounded& element) {
  EXPECT_EQ(element.value, 0);
  EXPECT_FALSE(std::signbit(element.value));
  EXPECT_EQ(element.bound, 0);
}

const Upstream loss_only{.loss = 1};

TEST(RowGradient, CrossEntropyIsSoftmaxMinusOneHot) {
  EXPECT_THAT(values(gradients(eighths, {3}, loss_only)),
              near({0.125, 0.125, 0.25, -0.5}, float_logits));
  EXPECT_THAT(values(gradients(eighths, {3}, {.logprob = {1}})),
              near({-0.125, -0.125, -0.25, 0.5}, float_logits));
}

TEST(RowGradient, EntropyOfEighths) {
  EXPECT_THAT(
      values(gradients(eighths, {0}, {.entropy = 1})),
      near({0.10830424696249145, 0.10830424696249145, 0.04332169878499658, -0.25993019270997947},
           float_logits));
  EXPECT_THAT(
      values(gradients(eighths, {0}, {.entropy = -0.5, .loss = 1})),
      near({-0.9291521234812458, 0.07084787651875427, 0.2283391506075017, 0.6299650963549898},
           float_logits));
  EXPECT_THAT(values(gradients(Row(4, 0), {0}, {.entropy = 1})), near({0, 0, 0, 0}, fp64));
}

TEST(RowGradient, UniformRowAtFullPrecision) {
  const std::vector<Bounded> out = gradients(Row(65536, 0), {65535}, loss_only);
  EXPECT_DOUBLE_EQ(out.front().value, 0x1p-16);
  EXPECT_DOUBLE_EQ(out.back().value, -(1 - 0x1p-16));
}

TEST(RowGradient, ConfidentLabelKeepsItsRelativeAccuracy) {
  const std::vector<Bounded> out = gradients({0, 60}, {1}, loss_only);
  EXPECT_DOUBLE_EQ(out[0].value, std::exp(-60.0));
  EXPECT_DOUBLE_EQ(out[1].value, -std::exp(-60.0));
}

TEST(RowGradient, DuplicateIdsAddUp) {
  EXPECT_THAT(values(gradients({0, 0}, {1, 0, 1}, {.logprob = {1, 2, 4}})),
              near({2 - 3.5, 5 - 3.5}, fp64));
}

// 1 / cosh^2 a = 4 e^-2a to fp64 where a is large; 1 - tanh^2 would be 0 from a = 19 on.
TEST(RowGradient, SaturatedSoftcapKeepsItsTinySlope) {
  const Parameters parameters{.softcap = 1};
  for (const float a : {20.0F, 40.0F, 100.0F}) {
    const auto out = values(gradients(Row(10, -a), {9}, loss_only, parameters));
    const double slope = 4 * std::exp(-2.0 * a);
    EXPECT_NEAR(out[0] / (0.1 * slope), 1, 1e-12) << a;
    EXPECT_NEAR(out[9] / (-0.9 * slope), 1, 1e-12) << a;
  }
  EXPECT_THAT(values(gradients(Row(3, 0), {2}, loss_only, parameters)),
              near({1.0 / 3, 1.0 / 3, -2.0 / 3}, fp64));
}

TEST(RowGradient, TemperatureDividesTheGradient) {
  EXPECT_THAT(values(gradients({0, 0}, {1}, loss_only, {.temperature = 0.25})),
              near({2, -2}, fp64));
}

TEST(RowGradient, SmoothingSpreadsOverTheValidColumns) {
  // p = (1/2, -, 1/2), of 2 valid columns: p - (1 - eps) [label] - eps / 2
  EXPECT_THAT(values(gradients({1, -inf, 1}, {0}, loss_only, {.label_smoothing = 0.5})),
              near({0.5 - 0.5 - 0.25, 0, 0.5 - 0.25}, fp64));
}

TEST(RowGradient, ZLossPullsAlongTheSoftmax) {
  // d(lambda lse^2) = 2 lambda lse p with lse = 3 + ln 2
  EXPECT_THAT(values(gradients({3, 3}, {0}, loss_only, {.z_loss = 0.5})),
              near({-0.5 + (3 + ln2) / 2, 0.5 + (3 + ln2) / 2}, fp64));
}

TEST(RowGradient, RowSumsAreZeroWithoutZLoss) {
  const Parameters parameters{.label_smoothing = 0.125};
  const Row logits{0.5F, -3, 4, 1, -inf, 2, -20};
  const std::vector<double> out =
      values(gradients(logits, {2, 0, 2}, {{1, -3, 0.5}, 0.75, 2}, parameters));
  EXPECT_THAT(std::accumulate(out.begin(), out.end(), 0.0), DoubleNear(0, fp64));
}

TEST(RowGradient, MaskedColumnThatIsNotATargetIsExactlyZero) {
  expect_positive_zero(gradients({0, -inf, 1}, {0}, {{1}, 1, 1}, {.label_smoothing = 0.5})[1]);
}

TEST(RowGradient, MaskedTargetKeepsItsOneHotPartOnly) {
  const std::vector<Bounded> out = gradients({0, -inf}, {1}, loss_only);
  EXPECT_EQ(out[0].value, 1);
  EXPECT_EQ(out[1].value, -1);
  const Parameters parameters{.temperature = 0.5, .label_smoothing = 0.25};
  EXPECT_EQ(gradients({0, -inf}, {1}, {{4}, 3, 1}, parameters)[1].value, (4 - 0.75) / 0.5);
}

TEST(RowGradient, ZeroProbabilityTimesAnInfiniteUpstreamIsZero) {
  const double huge = std::numeric_limits<double>::infinity();
  const Bounded nothing = gradients({0, 0, -1000}, {1}, {{0}, 0, huge})[2];
  EXPECT_EQ(nothing.value, 0);
  EXPECT_FALSE(std::isnan(nothing.bound));
}

TEST(RowGradient, SoftcapSlopeOfAMaskIsZero) {
  EXPECT_EQ(gradients({0, -inf}, {1}, loss_only, {.softcap = 5})[1].value, 0);
}

TEST(RowGradient, UpstreamsOfIgnoredIdsCountAsZero) {
  // Column 0 ignored: neither g_0 nor g_L counts, g_1 does.
  EXPECT_THAT(values(gradients({0, 0}, {-100, 0}, {{5, 1}, 0, 7})), near({0.5, -0.5}, fp64));
  // Ignored by value although it is a column.
  EXPECT_THAT(values(gradients({0, 0}, {1, 0}, {{5, 1}, 0, 7}, {.ignore_index = 1})),
              near({0.5, -0.5}, fp64));
  // Ids do not affect the upstream gradient of the entropy.
  EXPECT_NE(gradients({0, 1}, {-100}, {{5}, 1, 7})[0].value, 0);
}

TEST(RowGradient, WithoutUpstreamTheGradientOfAnyRowIsZero) {
  for (const Row& row : {Row{0, 1}, Row{not_a_number, 0}, Row{inf, 0}, Row{-inf, -inf}}) {
    for (const Bounded& element : gradients(row, {-100}, {{3}, 0, 1}))
      expect_positive_zero(element);
    for (const Bounded& element : gradients(row, {0}, {})) expect_positive_zero(element);
  }
}

TEST(RowGradient, PoisonedAndDegenerateRowsAreNanInMaskedColumnsToo) {
  for (const Row& row : {Row{not_a_number, -inf, 0}, Row{inf, -inf, 0}, Row{-inf, -inf, -inf}}) {
    for (const Bounded& element : gradients(row, {-100}, {{}, 1, 0})) {
      EXPECT_THAT(element.value, IsNan());
      EXPECT_EQ(element.bound, 0);
    }
  }
}

TEST(RowGradient, ShardOfColumnsAgreesWithSingleColumns) {
  const Row logits{0.5F, -3, 4, 1, -inf, 2, -20};
  const Parameters parameters{.temperature = 2, .softcap = 3, .label_smoothing = 0.125};
  const RowStatistics row = row_statistics(logits, Ids{4, 3, -100}, parameters);
  const RowGradient prepared = row_gradient(row, {{1, 2, 3}, 0.5, 1}, parameters);
  std::vector<Bounded> shard(3);
  gradient(prepared, 3, std::span(logits).subspan(3, 3), shard);
  for (std::size_t i = 0; i < shard.size(); ++i) {
    const Bounded single = gradient(prepared, static_cast<std::int64_t>(3 + i), logits[3 + i]);
    EXPECT_EQ(shard[i].value, single.value);
    EXPECT_EQ(shard[i].bound, single.bound);
  }
}

// Logits (0, -1, -2), label 1, as in row_statistics_test.cpp: p = (0.665241, 0.244728, 0.090031),
// L = lse = 0.407606, H = 0.832396, e_L = 8.832396, e_lp = (9.240002, 11.240002, 13.240002),
// e_H = 19.521100 (the sum there), e_lse = 9.240002, K = 1.
constexpr double C_u = 2 * 0x1p-24;
constexpr double six_digits = 1e-4;

TEST(GradientBound, CrossEntropyByHand) {
  const std::vector<Bounded> out = gradients({0, -1, -2}, {1}, loss_only);
  // e_y = p_v (1 + e_lp(v)), and 2 a_v = 2 at the label
  EXPECT_THAT(out[0].bound / C_u, DoubleNear(0.665241 * 10.240002, six_digits));
  EXPECT_THAT(out[1].bound / C_u, DoubleNear(0.244728 * 12.240002 + 2, six_digits));
  EXPECT_THAT(out[2].bound / C_u, DoubleNear(0.090031 * 14.240002, six_digits));
}

TEST(GradientBound, EntropyByHand) {
  const std::vector<Bounded> out = gradients({0, -1, -2}, {1}, {.entropy = -2});
  // G_0 = 2 (H + 0.407606) = 2.480004; e_y = p_0 (G_0 (1 + e_lp) + 2 (e_H + e_lp))
  EXPECT_THAT(
      out[0].bound / C_u,
      DoubleNear(0.665241 * (2.480004 * 10.240002 + 2 * (19.521100 + 9.240002)), six_digits));
}

TEST(GradientBound, SmoothingZLossAndTemperatureByHand) {
  const Parameters parameters{.temperature = 2, .label_smoothing = 0.5, .z_loss = 0.25};
  const Bounded out = gradients({0, -2, -4}, {1}, loss_only, parameters)[2];
  // G = 1 + 2 * 0.25 * 0.407606 = 1.203803, D = -1/6,
  // grad_y = 0.090031 * 1.203803 - 0.166667 = -0.058287
  EXPECT_THAT(out.value, DoubleNear(-0.058287 / 2, 1e-6));
  // e_y = p (G (1 + 13.240002) + 2 * 0.25 * e_lse) + 4 |D|, e_grad = (e_y + 4 |grad_y|) / 2
  EXPECT_THAT(
      out.bound / C_u,
      DoubleNear((0.090031 * (1.203803 * 14.240002 + 0.5 * 9.240002) + 0.666667 + 4 * 0.058287) / 2,
                 six_digits));
}

TEST(GradientBound, NeverBelowTheSmallestNormalFloats) {
  // p underflows, so that only 2^-125 (1 + G) / tau is left: G = 1.
  const Bounded out = gradients({0, -5000}, {0}, loss_only, {.temperature = 4})[1];
  EXPECT_EQ(out.value, 0);
  EXPECT_EQ(out.bound, 0x1p-125 * 2 / 4);
}

}  // namespace
}  // namespace vparity::reference
