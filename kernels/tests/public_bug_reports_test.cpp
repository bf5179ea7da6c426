// Bugs that users have reported publicly for other kernels, with values worked out by hand. Each
// runs on every TP size, layout and mode. The comment of each test names the report.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/expectations.h"

namespace vparity::testing {
namespace {

using std::numbers::ln2;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const float ln_2 = static_cast<float>(ln2);
const float ln_4 = static_cast<float>(2 * ln2);

std::vector<float> zeros(std::int64_t count) {
  return std::vector<float>(static_cast<std::size_t>(count));
}

std::vector<double> repeated(double value, std::size_t count) {
  return std::vector<double>(count, value);
}

/// Row t: `off` everywhere but at `labels[t]`, where it is `on`.
std::vector<double> rows_with_peak(std::int64_t vocab, const std::vector<std::int64_t>& labels,
                                   double off, double on) {
  std::vector<double> rows;
  for (const std::int64_t label : labels) {
    const std::size_t begin = rows.size();
    rows.resize(begin + static_cast<std::size_t>(vocab), off);
    rows[begin + static_cast<std::size_t>(label)] = on;
  }
  return rows;
}

// pytorch/pytorch#38839: log-sum-exp rounded to an integer before the subtraction.
TEST(PublicBugReport01, LargeCommonOffsetKeepsTheFraction) {
  for (const float offset : {-1e7F, 1e7F}) {
    expect_on_every_grid(
        {.vocab = 3, .logits = {offset, offset + 1, offset + 2}, .ids = {2, 1, 0}, .id_columns = 3},
        {.logprob = {-0.4076059644443803, -1.4076059644443804, -2.4076059644443803},
         .entropy = {0.8323955818399389}});
  }
}

TEST(PublicBugReport01, LargeCommonOffsetInBf16) {
  expect_on_every_grid({.vocab = 3, .logits = {256, 258, 260}, .ids = {2}, .dtype = DType::bf16},
                       {.logprob = {-0.1429316284998995}, .entropy = {0.4410574440581633}});
}

// ml-explore/mlx#4072: a maximum built on an ordered comparison drops NaN on some ranks.
TEST(PublicBugReport02, NanOnOneShardReachesEveryRankAndNoOtherRow) {
  expect_on_every_grid({.vocab = 4,
                        .logits = {quiet_nan, -infinity, 0, 0,                  //
                                   0, 0, quiet_nan, -infinity,                  //
                                   quiet_nan, -infinity, -infinity, -infinity,  //
                                   0, 0, 0, 0},
                        .ids = {2, 2, 2, 2},
                        .grad_loss = {1, 1, 1, 1}},
                       {.logprob = {nan, nan, nan, -2 * ln2},
                        .entropy = {nan, nan, nan, 2 * ln2},
                        .loss = {nan, nan, nan, 2 * ln2},
                        .gradient = {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan,  //
                                     0.25, 0.25, -0.75, 0.25}});
}

// NVIDIA/TransformerEngine#2139: the backward reads one upstream value for all rows.
TEST(PublicBugReport11, EachRowHasItsOwnUpstreamGradient) {
  expect_on_every_grid(
      {.vocab = 2, .logits = zeros(8), .ids = {0, 1, 0, 1}, .grad_loss = {0, 1, -2, 0.5F}},
      {.gradient = {0, 0, 0.5, -0.5, 1, -1, 0.25, -0.25}});
}

// google-deepmind/optax#1020: running sums, lse or gradient kept in 16 bits.
TEST(PublicBugReport12, SixteenBitLogitsAreSummedInFp32) {
  const double p = std::exp2(-16);
  for (const DType dtype : {DType::bf16, DType::fp16}) {
    expect_on_every_grid({.vocab = 65536,
                          .logits = zeros(65536),
                          .ids = {65535},
                          .dtype = dtype,
                          .gradient_dtype = DType::fp32,
                          .grad_loss = {1}},
                         {.entropy = {11.090354888959125},
                          .loss = {11.090354888959125},
                          .gradient = rows_with_peak(65536, {65535}, p, p - 1)});
  }
}

// unslothai/unsloth#10616: padding lanes loaded as -inf become finite under the softcap.
TEST(PublicBugReport15, SoftcapDoesNotLetPaddingIn) {
  Problem problem{.vocab = 10,
                  .logits = std::vector<float>(10, -100),
                  .ids = {9},
                  .options = {.softcap = 1.0F},
                  .grad_loss = {1}};
  const double slope = 4 * std::exp(-200.0);  // 1 / cosh^2 100, nothing in fp32
  expect_on_every_grid(problem, {.entropy = {2.302585092994046},
                                 .loss = {2.302585092994046},
                                 .gradient = rows_with_peak(10, {9}, 0.1 * slope, -0.9 * slope)});
  problem.logits = zeros(10);
  expect_on_every_grid(
      problem, {.loss = {2.302585092994046}, .gradient = rows_with_peak(10, {9}, 0.1, -0.9)});
}

// PaddlePaddle/Paddle#52835: ignore_index compared with a shard-local label.
TEST(PublicBugReport17, IgnoreIndexMayBeARealClassOfAnotherShard) {
  std::vector<double> gradient = repeated(1.0 / 24, 32);
  for (const int v : {0, 1, 2, 3, 4, 5, 6, 7}) gradient[static_cast<std::size_t>(v)] = 0;
  gradient[8 + 1] = gradient[16 + 0] = gradient[24 + 4] = -7.0 / 24;
  for (const std::int64_t ignored : {5, -1}) {
    expect_on_every_grid(
        {.vocab = 8,
         .logits = zeros(32),
         .ids = {ignored, 1, 0, 4},
         .options = {.ignore_index = ignored, .reduction = Reduction::mean},
         .grad_loss = {1, 1, 1, 1}},
        {.gradient = gradient, .loss_mean = 2.0794415416798357, .valid_tokens = 3});
  }
}

// huggingface/trl#6625: the entropy's gradient is ignored.
TEST(PublicBugReport18, EntropyHasAGradient) {
  const std::vector<float> logits = {0, 0, ln_2, ln_4};
  const ReferenceOutcome rounded =
      solve_by_reference({.vocab = 4, .logits = logits, .ids = {0}, .grad_entropy = {1}});
  const std::vector<double> by_hand = {5 * ln2 / 32, 5 * ln2 / 32, ln2 / 16, -3 * ln2 / 8};
  for (std::size_t v = 0; v < by_hand.size(); ++v) {  // ln 2 is rounded to fp32 in the logits
    EXPECT_NEAR(rounded.gradient[v].value, by_hand[v], 1e-7);
  }
  EXPECT_NEAR(rounded.entropy[0].value, 1.2130075659799042, 1e-7);
  expect_on_every_grid({.vocab = 4, .logits = logits, .ids = {0}, .grad_entropy = {1}});
}

TEST(PublicBugReport18, CrossEntropyMinusHalfTheEntropy) {
  const Problem problem{.vocab = 4,
                        .logits = {0, 0, ln_2, ln_4},
                        .ids = {0},
                        .grad_entropy = {-0.5F},
                        .grad_loss = {1}};
  const ReferenceOutcome rounded = solve_by_reference(problem);
  const std::vector<double> by_hand = {-0.9291521234812458, 0.07084787651875427, 0.2283391506075017,
                                       0.6299650963549898};
  for (std::size_t v = 0; v < by_hand.size(); ++v) {
    EXPECT_NEAR(rounded.gradient[v].value, by_hand[v], 1e-7);
  }
  expect_on_every_grid(problem);
}

TEST(PublicBugReport18, EntropyOfUniformLogitsIsStationary) {
  on_every_grid({.vocab = 4, .logits = zeros(4), .ids = {0}, .grad_entropy = {1}},
                [](const Outcome& outcome) {
                  for (const float element : outcome.gradient) EXPECT_NEAR(element, 0, 1e-6);
                });
}

// apple/ml-cross-entropy#59: another shard's label matches a padding lane of the last tile.
TEST(PublicBugReport19, LabelsOfOtherShardsMatchNoPaddingLane) {
  const std::vector<std::int64_t> labels = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  expect_on_every_grid(
      {.vocab = 10, .logits = zeros(100), .ids = labels, .grad_loss = std::vector<float>(10, 1)},
      {.loss = repeated(2.302585092994046, 10), .gradient = rows_with_peak(10, labels, 0.1, -0.9)});
}

TEST(PublicBugReport19, LabelsAroundTheShardBorderOfAWideVocabulary) {
  const std::vector<std::int64_t> labels = {2049, 2050, 2051, 2052, 2053, 2054, 2055, 2056,
                                            0,    1,    2,    3,    4,    5,    6,    7};
  expect_on_every_grid({.vocab = 4098, .logits = zeros(16 * 4098), .ids = labels},
                       {.loss = repeated(8.318254328798846, 16)});
}

// modelscope/ms-swift#9947: shards that do not own the label get no gradient, or TP times it.
TEST(PublicBugReport20, EveryShardHasItsPartOfTheGradientOnce) {
  const Problem problem{.vocab = 4, .logits = {0, 0, ln_2, ln_4}, .ids = {3}, .grad_loss = {1}};
  const ReferenceOutcome reference = solve_by_reference(problem);
  const std::vector<double> by_hand = {0.125, 0.125, 0.25, -0.5};
  for (std::size_t v = 0; v < by_hand.size(); ++v) {
    EXPECT_NEAR(reference.gradient[v].value, by_hand[v], 1e-7);
  }
  on_every_grid(problem, [&](const Outcome& outcome) {
    expect_outcome(outcome, reference);
    double sum = 0;
    for (const float element : outcome.gradient) sum += element;
    EXPECT_NEAR(sum, 0, 1e-7);
  });
  Problem of_logprob = problem;
  of_logprob.grad_logprob = {-1};
  of_logprob.grad_loss = {};
  expect_on_every_grid(of_logprob);
}

}  // namespace
}  // namespace vparity::testing
