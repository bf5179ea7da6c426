// How often the rules of a history are wrong, and how soon they find a change, on synthetic nights:
// the figures of docs/history.md. Seeds are fixed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "reports/statistics/change_points.h"
#include "reports/statistics/sudden_rises.h"

namespace vparity::reports {
namespace {

using Nights = std::vector<double>;  // logarithms
using Random = std::mt19937_64;

/// The noise of one night.
using Noise = std::function<double(Random&, int night)>;

Noise normal(double scale) {
  return
      [scale](Random& random, int) { return scale * std::normal_distribution<double>()(random); };
}

/// Student's distribution of 3 degrees of freedom: 1 night in 70 is off by more than 4 scales.
Noise heavy(double scale) {
  return [scale](Random& random, int) {
    return scale * std::student_t_distribution<double>(3)(random);
  };
}

/// The machine becomes 5 % slower in a hundred nights.
Noise drifting(double scale) {
  return [scale](Random& random, int night) {
    return 5e-4 * night + scale * std::normal_distribution<double>()(random);
  };
}

/// The ratio to an anchor that runs in the same night and has the same noise.
Noise anchored(double scale) {
  return [noise = drifting(scale)](Random& random, int night) {
    return noise(random, night) - noise(random, night);
  };
}

/// In one night of twenty everything takes 1.5 times as long.
Noise disturbed(double scale) {
  return [noise = normal(scale)](Random& random, int night) {
    const bool now = std::bernoulli_distribution(0.05)(random);
    return noise(random, night) + (now ? std::log(1.5) : 0);
  };
}

/// Whether there is an alarm in the last of these nights.
using Rule = std::function<bool(const Nights&)>;

bool sudden(const Nights& nights) {
  const auto rises = sudden_rises(nights, {});
  return std::ranges::any_of(rises, [](const SuddenRise& rise) { return !rise.back; });
}

bool looking_back(const Nights& nights) {
  const auto points = change_points(nights, {});
  return !points.empty() && points.back().after > points.back().before;
}

Nights series(Random& random, const Noise& noise, int nights) {
  Nights values;
  for (int i = 0; i < nights; ++i) values.push_back(noise(random, i));
  return values;
}

/// Alarms that begin, per 100 nights without a change.
double false_alarms(const Rule& rule, const Noise& noise) {
  constexpr int nights = 200, trials = 100;
  Random random(11);
  int alarms = 0;
  for (int i = 0; i < trials; ++i) {
    const auto all = series(random, noise, nights);
    bool before = false;
    for (int seen = 1; seen <= nights; ++seen) {
      const bool now = rule(Nights(all.begin(), all.begin() + seen));
      alarms += now && !before ? 1 : 0;
      before = now;
    }
  }
  return 100.0 * alarms / trials / nights;
}

constexpr int before = 100;  // nights of the old level
constexpr int never = 60;    // nights of the new level after which the test gives up

Nights changed(Random& random, const Noise& noise, double slower) {
  auto nights = series(random, noise, before + never);
  for (int night = before; night < before + never; ++night) nights[night] += std::log(slower);
  return nights;
}

bool finds(const Rule& rule, const Nights& nights, int of_new_level) {
  return rule(Nights(nights.begin(), nights.begin() + before + of_new_level));
}

int nights_until_found(const Rule& rule, const Nights& nights) {
  int found = 1;
  while (found < never && !finds(rule, nights, found)) ++found;
  return found;
}

/// Nights of the new level until half of the series are found, and nine in ten.
struct Delay {
  int half = 0, most = 0;
  bool operator==(const Delay&) const = default;
};

Delay delay(const Rule& rule, const Noise& noise, double slower) {
  constexpr int trials = 50;
  Random random(12);
  std::vector<int> delays;
  for (int i = 0; i < trials; ++i)
    delays.push_back(nights_until_found(rule, changed(random, noise, slower)));
  std::ranges::sort(delays);
  return {delays[trials / 2 - 1], delays[trials * 9 / 10 - 1]};
}

/// The published delay, within one night.
void expect_delay(const Rule& rule, const Noise& noise, double slower, const Delay& published) {
  const auto found = delay(rule, noise, slower);
  EXPECT_NEAR(found.half, published.half, 1) << slower;
  EXPECT_NEAR(found.most, published.most, 1) << slower;
}

struct Figures {
  double sudden_alarms;
  Delay sudden_fifteen;
  double alarms;
  Delay five, ten;
};

void expect(const Noise& noise, const Figures& published) {
  EXPECT_LE(false_alarms(sudden, noise), published.sudden_alarms);
  expect_delay(sudden, noise, 1.05, {never, never});
  expect_delay(sudden, noise, 1.15, published.sudden_fifteen);
  EXPECT_LE(false_alarms(looking_back, noise), published.alarms);
  expect_delay(looking_back, noise, 1.05, published.five);
  expect_delay(looking_back, noise, 1.1, published.ten);
}

TEST(PublishedFigures, OfOnePercentOfNoise) {
  expect(normal(0.01), {0, {2, 2}, 0, {3, 3}, {3, 3}});
}

TEST(PublishedFigures, OfThreePercentOfNoise) {
  expect(normal(0.03), {0, {2, 3}, 0, {11, 17}, {4, 6}});
}

TEST(PublishedFigures, OfHeavyTails) { expect(heavy(0.01), {0, {2, 2}, 0, {3, 5}, {3, 3}}); }

TEST(PublishedFigures, OfDisturbedNights) {
  expect(disturbed(0.01), {0.23, {2, 2}, 0, {5, 7}, {4, 5}});
}

TEST(PublishedFigures, OfADriftOfTheMachineWithAnAnchor) {
  expect(anchored(0.01), {0, {2, 2}, 0, {3, 5}, {3, 3}});
}

TEST(PublishedFigures, OfADriftOfTheMachineWithoutAnAnchorAreAnAlarmWhateverTheCase) {
  Random random(13);
  for (int i = 0; i < 4; ++i) {
    const auto nights = series(random, drifting(0.01), 200);
    EXPECT_FALSE(sudden(nights));
    EXPECT_TRUE(looking_back(nights));
  }
}

}  // namespace
}  // namespace vparity::reports
