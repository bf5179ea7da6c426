// Closed forms and the rules for special values. The values hold for exact logits; the rounding of
// ln 3 and the like to fp32 is added to the bound. Accuracy: quad_reference_test.cpp.
#include "reference/row_statistics.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace vparity::reference {
namespace {

using Row = std::vector<float>;
using Ids = std::vector<std::int64_t>;
using testing::DoubleNear;
using testing::IsNan;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr double fp64 = 1e-14;         // a few roundings of numbers of order 1
constexpr double float_logits = 2e-7;  // ln 2, ln 3, ... as floats
const double ln2 = std::log(2.0);

TEST(RowStatistics, UniformRowHasLogOfVocabularyEverywhere) {
  for (const std::int64_t vocab : {1, 2, 3, 10, 4098, 65536}) {
    const Row row(static_cast<std::size_t>(vocab), 2.5F);
    const RowStatistics statistics = row_statistics(row, Ids{vocab - 1}, {});
    const double log_vocab = std::log(static_cast<double>(vocab));
    EXPECT_THAT(statistics.loss.value, DoubleNear(log_vocab, fp64));
    EXPECT_THAT(statistics.entropy.value, DoubleNear(log_vocab, fp64));
    EXPECT_THAT(statistics.lse.value, DoubleNear(2.5 + log_vocab, fp64));
    EXPECT_EQ(statistics.valid_columns, vocab);
  }
}

TEST(RowStatistics, PeakOfLnThree) {
  // p = (1, 1, 3) / 5
  const RowStatistics statistics = row_statistics(Row{0, 0, std::log(3.0F)}, Ids{2, 0}, {});
  EXPECT_THAT(statistics.logprob[0].value, DoubleNear(std::log(0.6), float_logits));
  EXPECT_THAT(statistics.logprob[1].value, DoubleNear(std::log(0.2), float_logits));
  EXPECT_THAT(statistics.entropy.value,
              DoubleNear(-0.6 * std::log(0.6) - 0.4 * std::log(0.2), float_logits));
}

TEST(RowStatistics, TwoColumnsAreALogisticFunction) {
  for (const float x : {-30.0F, -1.5F, 0.0F, 0.25F, 12.0F}) {
    const RowStatistics statistics = row_statistics(Row{0, x}, Ids{1}, {});
    EXPECT_THAT(statistics.loss.value, DoubleNear(std::log1p(std::exp(-double{x})), fp64));
  }
}

TEST(RowStatistics, ConfidentLabelKeepsItsRelativeAccuracy) {
  const RowStatistics statistics = row_statistics(Row{0, 60}, Ids{1}, {});
  EXPECT_DOUBLE_EQ(statistics.loss.value, std::exp(-60.0));
  EXPECT_DOUBLE_EQ(statistics.entropy.value, std::exp(-60.0) * 61);
}

TEST(RowStatistics, LargeCommonOffsetChangesNothing) {
  for (const float offset : {0.0F, 1e7F, -1e7F}) {
    const RowStatistics statistics =
        row_statistics(Row{offset, offset + 1, offset + 2}, Ids{2, 1, 0}, {});
    EXPECT_THAT(statistics.logprob[0].value, DoubleNear(-0.4076059644443803, fp64));
    EXPECT_THAT(statistics.logprob[1].value, DoubleNear(-1.4076059644443804, fp64));
    EXPECT_THAT(statistics.logprob[2].value, DoubleNear(-2.4076059644443803, fp64));
    EXPECT_THAT(statistics.entropy.value, DoubleNear(0.8323955818399389, fp64));
  }
  const RowStatistics bf16 = row_statistics(Row{256, 258, 260}, Ids{2}, {});
  EXPECT_THAT(bf16.logprob[0].value, DoubleNear(-0.1429316284998995, fp64));
  EXPECT_THAT(bf16.entropy.value, DoubleNear(0.4410574440581633, fp64));
}

TEST(RowStatistics, TinyTemperatureDoesNotOverflow) {
  Parameters parameters{.temperature = std::numeric_limits<float>::denorm_min()};
  const float largest = std::numeric_limits<float>::max();
  const RowStatistics statistics = row_statistics(Row{largest, -largest}, Ids{0, 1}, parameters);
  EXPECT_EQ(statistics.logprob[0].value, 0);
  EXPECT_DOUBLE_EQ(statistics.logprob[1].value, -2 * double{largest} / 0x1p-149);
  EXPECT_EQ(statistics.entropy.value, 0);
}

TEST(RowStatistics, MaskedColumnsAreAsIfDeleted) {
  const Parameters parameters{
      .temperature = 0.5, .softcap = 2, .label_smoothing = 0.25, .z_loss = 0.125};
  const RowStatistics masked = row_statistics(Row{-inf, 1, -inf, -3, 0.5F}, Ids{4}, parameters);
  const RowStatistics deleted = row_statistics(Row{1, -3, 0.5F}, Ids{2}, parameters);
  EXPECT_EQ(masked.valid_columns, 3);
  EXPECT_EQ(masked.logprob[0].value, deleted.logprob[0].value);
  EXPECT_EQ(masked.entropy.value, deleted.entropy.value);
  EXPECT_EQ(masked.lse.value, deleted.lse.value);
  EXPECT_EQ(masked.loss.value, deleted.loss.value);
}

TEST(RowStatistics, SoftcapIsNotAppliedToMasks) {
  // Ten columns at -c each, and masks, which would join them at -c if they passed the softcap.
  const Parameters parameters{.softcap = 1};
  Row row(16, -inf);
  std::fill_n(row.begin(), 10, -100.0F);
  const RowStatistics statistics = row_statistics(row, Ids{9}, parameters);
  EXPECT_THAT(statistics.loss.value, DoubleNear(2.302585092994046, fp64));
  EXPECT_THAT(statistics.entropy.value, DoubleNear(2.302585092994046, fp64));
  EXPECT_THAT(row_statistics(Row(10, 0), Ids{9}, parameters).loss.value,
              DoubleNear(2.302585092994046, fp64));
}

TEST(RowStatistics, SoftcapAndTemperatureInThatOrder) {
  // y = tanh(x / 2) * 2 / 0.5: differs from capping x / tau.
  const Parameters parameters{.temperature = 0.5, .softcap = 2};
  const double y = 4 * std::tanh(0.5);
  const RowStatistics statistics = row_statistics(Row{0, 1}, Ids{0}, parameters);
  EXPECT_THAT(statistics.loss.value, DoubleNear(std::log1p(std::exp(y)), fp64));
  EXPECT_THAT(statistics.target[0], DoubleNear(0, fp64));
}

TEST(RowStatistics, SmoothingAveragesOverTheValidColumns) {
  const Parameters parameters{.label_smoothing = 0.25};
  const RowStatistics statistics = row_statistics(Row{0, -inf, 2}, Ids{0}, parameters);
  const double L = std::log1p(std::exp(-2.0));
  EXPECT_THAT(statistics.loss.value, DoubleNear(0.75 * (2 + L) + 0.25 * ((2 + L) + L) / 2, fp64));
}

TEST(RowStatistics, ZLossIsTheSquareOfLse) {
  const Parameters parameters{.z_loss = 0.5};
  const RowStatistics statistics = row_statistics(Row{3, 3}, Ids{0}, parameters);
  EXPECT_THAT(statistics.loss.value, DoubleNear(ln2 + 0.5 * (3 + ln2) * (3 + ln2), fp64));
}

TEST(RowStatistics, MaskedTargetGivesInfiniteLossAndFiniteEntropy) {
  const RowStatistics statistics = row_statistics(Row{0, -inf}, Ids{1}, {});
  EXPECT_EQ(statistics.kind, RowKind::finite);
  EXPECT_EQ(statistics.logprob[0].value, -inf);
  EXPECT_EQ(statistics.logprob[0].bound, 0);
  EXPECT_EQ(statistics.loss.value, inf);
  EXPECT_EQ(statistics.loss.bound, 0);
  EXPECT_EQ(statistics.entropy.value, 0);
}

TEST(RowStatistics, NanOrPositiveInfinityPoisonsTheWholeRow) {
  const Parameters capped{.softcap = 1};
  for (const Row& row : {Row{not_a_number, -inf, 0, 0}, Row{0, 0, not_a_number, -inf},
                         Row{not_a_number, -inf, -inf, -inf}, Row{0, 0, 0, inf}}) {
    for (const Parameters& parameters : {Parameters{}, capped}) {
      const RowStatistics statistics = row_statistics(row, Ids{2}, parameters);
      EXPECT_EQ(statistics.kind, RowKind::poisoned);
      for (const Bounded& output :
           {statistics.logprob[0], statistics.entropy, statistics.lse, statistics.loss}) {
        EXPECT_THAT(output.value, IsNan());
        EXPECT_EQ(output.bound, 0);
      }
    }
  }
}

TEST(RowStatistics, RowWithoutValidColumnIsDegenerate) {
  const RowStatistics statistics = row_statistics(Row(5, -inf), Ids{1}, {.softcap = 3});
  EXPECT_EQ(statistics.kind, RowKind::degenerate);
  EXPECT_EQ(statistics.valid_columns, 0);
  EXPECT_THAT(statistics.logprob[0].value, IsNan());
  EXPECT_THAT(statistics.entropy.value, IsNan());
  EXPECT_THAT(statistics.loss.value, IsNan());
  EXPECT_EQ(statistics.lse.value, -inf);
}

TEST(RowStatistics, IgnoredIdsGiveExactZerosAndLeaveEntropyAlone) {
  // 1 is a column, but ignored: only the value of the id counts.
  const Parameters parameters{.z_loss = 1, .ignore_index = 1};
  const RowStatistics statistics = row_statistics(Row{0, 0}, Ids{1, 0}, parameters);
  EXPECT_FALSE(statistics.valid);
  EXPECT_EQ(statistics.logprob[0].value, 0);
  EXPECT_EQ(statistics.logprob[0].bound, 0);
  EXPECT_EQ(statistics.loss.value, 0);
  EXPECT_EQ(statistics.loss.bound, 0);
  EXPECT_THAT(statistics.logprob[1].value, DoubleNear(-ln2, fp64));
  EXPECT_THAT(statistics.entropy.value, DoubleNear(ln2, fp64));
}

TEST(RowStatistics, IgnoredIdOfAPoisonedRowIsStillZero) {
  const RowStatistics statistics = row_statistics(Row{not_a_number, 0}, Ids{-100, 0}, {});
  EXPECT_EQ(statistics.logprob[0].value, 0);
  EXPECT_EQ(statistics.loss.value, 0);
  EXPECT_THAT(statistics.logprob[1].value, IsNan());
  EXPECT_THAT(statistics.entropy.value, IsNan());
}

TEST(RowStatistics, IdOutsideTheVocabularyIsAnError) {
  for (const std::int64_t id : {std::int64_t{-1}, std::int64_t{3}, (std::int64_t{1} << 32) + 2})
    EXPECT_THROW(row_statistics(Row(3, 0), Ids{0, id}, {}), std::out_of_range);
}

TEST(Bounds, TermsGrowWithTheLogarithmOfTheVocabulary) {
  EXPECT_EQ(bound_terms(1), 6);
  EXPECT_EQ(bound_terms(2), 7);
  EXPECT_EQ(bound_terms(3), 8);
  EXPECT_EQ(bound_terms(4), 8);
  EXPECT_EQ(bound_terms(5), 9);
  EXPECT_EQ(bound_terms(151936), 24);
}

// Logits (0, -1, -2), by hand: e^z = (1, 0.367879, 0.135335), s = 1.503215, L = ln s = 0.407606,
// p = (0.665241, 0.244728, 0.090031). With Z = |z|:
//   E|z| = E Z = 0.244728 + 2 * 0.090031 = 0.424790     E(|z| Z) = 0.244728 + 4 * 0.090031 =
//   0.604851 H = L + E|z| = 0.832396     k = 8
constexpr double C_u = 2 * 0x1p-24;
constexpr double six_digits = 2e-5;  // of the hand calculation, k and its factors included

TEST(Bounds, PlainRowByHand) {
  const RowStatistics row = row_statistics(Row{0, -1, -2}, Ids{1}, {});
  // e_L = L + k + E Z
  EXPECT_THAT(row.e_log_sum, DoubleNear(0.407606 + 8 + 0.424790, six_digits));
  // e_lp(1) = 1 + |-1 - 0.407606| + e_L
  EXPECT_THAT(row.logprob[0].bound / C_u, DoubleNear(1 + 1.407606 + 8.832396, six_digits));
  // e_H = L + H + 9 (1 + 2 E|z|) + 2 E Z + E(|z| Z) + E|z| E Z
  EXPECT_THAT(
      row.entropy.bound / C_u,
      DoubleNear(0.407606 + 0.832396 + 9 * 1.849580 + 0.849580 + 0.604851 + 0.180447, six_digits));
  // e_lse = L + e_L (F = 0, tau = 1)
  EXPECT_THAT(row.lse.bound / C_u, DoubleNear(0.407606 + 8.832396, six_digits));
  // e_loss = e_lp + 2 |logprob| + |loss|
  EXPECT_THAT(row.loss.bound / C_u, DoubleNear(11.240002 + 3 * 1.407606, six_digits));
}

// V 2^-17 in e_L, V 2^-17 (2 + E|z|) in e_H.
TEST(Bounds, TheGridOfModeReproducibleByHand) {
  Row logits(1 << 17, -1);
  logits[0] = 0;  // s = 1 + 131071 / e, E|z| = 1 - 1 / s
  const RowStatistics plain = row_statistics(logits, Ids{0}, {});
  const RowStatistics grid = row_statistics(logits, Ids{0}, {.sums_on_grid = true});
  EXPECT_THAT(grid.e_log_sum - plain.e_log_sum, DoubleNear(1, 1e-9));
  EXPECT_THAT((grid.entropy.bound - plain.entropy.bound) / C_u, DoubleNear(3 - 1 / 48219.3, 1e-6));
  EXPECT_THAT((grid.logprob[0].bound - plain.logprob[0].bound) / C_u, DoubleNear(1, 1e-6));
  EXPECT_EQ(grid.entropy.value, plain.entropy.value);
}

TEST(Bounds, SmoothingAndZLossByHand) {
  const Parameters parameters{.label_smoothing = 0.5, .z_loss = 0.25};
  const RowStatistics row = row_statistics(Row{0, -1, -2}, Ids{1}, parameters);
  // mean z = -1, L - mean z = 1.407606; loss = (1.407606 + 1.407606) / 2 + 0.25 * 0.407606^2
  const double loss = 1.407606 + 0.25 * 0.166143;
  EXPECT_THAT(row.loss.value, DoubleNear(loss, six_digits));
  // eps (e_L + 9 mean|z| + mean Z + 2 |L - mean z|) = 0.5 (8.832396 + 9 + 1 + 2.815212)
  // lambda (2 lse e_lse + 3 lse^2) = 0.25 (2 * 0.407606 * 9.240002 + 3 * 0.166143)
  EXPECT_THAT(row.loss.bound / C_u, DoubleNear(0.5 * (11.240002 + 2.815212) + 0.5 * 21.647608 +
                                                   0.25 * (7.532564 + 0.498429) + loss,
                                               six_digits));
}

TEST(Bounds, TemperatureByHand) {
  // Twice the logits at tau = 2: the same z, but F = 6 is divided.
  const RowStatistics row = row_statistics(Row{6, 4, 2}, Ids{1}, {.temperature = 2});
  EXPECT_THAT(row.logprob[0].bound / C_u, DoubleNear(11.240002, six_digits));
  // e_lse = lse + e_L + 2 F / tau, lse = 3 + L
  EXPECT_THAT(row.lse.bound / C_u, DoubleNear(3.407606 + 8.832396 + 6, six_digits));
}

TEST(Bounds, SoftcapByHand) {
  // c = 1000 leaves (3, 2, 1) as they are but for 1e-5: Z_v = |z_v| + f_v + 3 = (6, 6, 6).
  const RowStatistics row = row_statistics(Row{3, 2, 1}, Ids{1}, {.softcap = 1000});
  const double capped = 1e-4;
  // e_L = L + k + 6, e_lp(1) = 6 + 1.407606 + e_L
  EXPECT_THAT(row.e_log_sum, DoubleNear(14.407606, capped));
  EXPECT_THAT(row.logprob[0].bound / C_u, DoubleNear(6 + 1.407606 + 14.407606, capped));
  // e_H: E(|z| Z) = 6 E|z| = 2.548740, E|z| E Z the same
  EXPECT_THAT(row.entropy.bound / C_u,
              DoubleNear(0.407606 + 0.832396 + 9 * 1.849580 + 12 + 2 * 2.548740, capped));
  EXPECT_THAT(row.lse.bound / C_u, DoubleNear(3.407606 + 14.407606 + 6, capped));
}

}  // namespace
}  // namespace vparity::reference
