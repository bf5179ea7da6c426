// How often the verdicts are wrong, on synthetic times. Seeds are fixed. The limits leave room for
// three standard deviations of the count.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "reports/statistics/change.h"

namespace vparity::reports {
namespace {

constexpr double noise = 0.01;  // of a process's median
constexpr int pairs = 10;

/// Medians of `2 * count` processes that ran one after the other, in ABBA order: base, head, head,
/// base, and so on.
struct Sides {
  std::vector<double> base, head;
};

class Machine {
 public:
  /// `disturbance` is the factor on the time of the n-th process.
  explicit Machine(
      unsigned seed, std::function<double(int)> disturbance = [](int) { return 1.0; })
      : random_(seed), disturbance_(std::move(disturbance)) {}

  Sides run(double slower, int count = pairs) {
    Sides sides;
    for (int pair = 0; pair < count; ++pair) {
      const double first = process(2 * pair), second = process(2 * pair + 1);
      const bool base_first = pair % 2 == 0;
      sides.base.push_back(base_first ? first : second);
      sides.head.push_back(slower * (base_first ? second : first));
    }
    return sides;
  }

 private:
  double process(int n) { return 0.005 * std::exp(noise * normal_(random_)) * disturbance_(n); }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::function<double(int)> disturbance_;
};

std::vector<double> ratios(const Sides& sides) { return log_ratios(sides.base, sides.head); }

Verdict verdict(Machine& machine, double slower, const Criteria& criteria = {}) {
  return judge({ratios(machine.run(slower))}, criteria).at(0)->verdict;
}

int count(int trials, const std::function<bool()>& happens) {
  int found = 0;
  for (int i = 0; i < trials; ++i) found += happens() ? 1 : 0;
  return found;
}

/// `share` of the trials and three standard deviations more.
int at_most(int trials, double share) {
  return static_cast<int>(trials * share + 3 * std::sqrt(trials * share * (1 - share)));
}

bool alarm(Verdict verdict) {
  return verdict == Verdict::regressed || verdict == Verdict::improved;
}

TEST(SameAgainstSame, AlarmsInAtMostOneOfAHundred) {
  Machine machine(1);
  constexpr int trials = 20'000;
  EXPECT_LE(count(trials, [&] { return alarm(verdict(machine, 1)); }), trials / 100);
}

TEST(SameAgainstSame, AlarmsInOneOfAHundredAlsoWithoutAThreshold) {
  Machine machine(2);
  constexpr int trials = 20'000;
  const int alarms = count(trials, [&] { return alarm(verdict(machine, 1, {.threshold = 0})); });
  EXPECT_LE(alarms, at_most(trials, 0.01));
  EXPECT_GE(alarms, trials / 200) << "the interval is wider than it says";
}

TEST(SameAgainstSame, AlarmsInOneOfAHundredRunsOfManyCases) {
  Machine machine(3);
  constexpr int trials = 2'000, cases = 20;
  const auto any_alarm = [&] {
    std::vector<std::vector<double>> all;
    for (int i = 0; i < cases; ++i) all.push_back(ratios(machine.run(1)));
    for (const auto& change : judge(all, {.threshold = 0}))
      if (alarm(change->verdict)) return true;
    return false;
  };
  EXPECT_LE(count(trials, any_alarm), at_most(trials, 0.01));
}

TEST(SameAgainstSame, AlarmsInOneOfAHundredWhereMorePairsAreAddedUntilItIsClear) {
  Machine machine(4);
  constexpr int trials = 5'000;
  const auto ends_in_alarm = [&] {
    const auto all = ratios(machine.run(1, 3 * pairs));
    for (int look = 1; look <= 3; ++look) {
      const std::vector<double> seen(all.begin(), all.begin() + look * pairs);
      const auto found = judge({seen}, {.threshold = 0, .looks = 3}).at(0)->verdict;
      if (found != Verdict::inconclusive) return alarm(found);
    }
    return false;
  };
  EXPECT_LE(count(trials, ends_in_alarm), at_most(trials, 0.01));
}

TEST(ChangeOfTheThreshold, IsCalledARegressionOrNoneInAtMostOneOfTwoHundred) {
  Machine machine(5);
  constexpr int trials = 20'000;
  int regressed = 0, equivalent = 0;
  for (int i = 0; i < trials; ++i) {
    const auto found = verdict(machine, 1.02);
    regressed += found == Verdict::regressed ? 1 : 0;
    equivalent += found == Verdict::equivalent ? 1 : 0;
  }
  EXPECT_LE(regressed, at_most(trials, 0.005));
  EXPECT_LE(equivalent, at_most(trials, 0.005));
}

TEST(FivePercent, AreFoundInNinetyFiveOfAHundredByTenPairs) {
  Machine machine(6);
  constexpr int trials = 5'000;
  EXPECT_GE(count(trials, [&] { return verdict(machine, 1.05) == Verdict::regressed; }),
            trials * 95 / 100);
  EXPECT_GE(count(trials, [&] { return verdict(machine, 1 / 1.05) == Verdict::improved; }),
            trials * 95 / 100);
}

TEST(DetectableChange, IsFoundAsOftenAsItSays) {
  Machine machine(7);
  constexpr int trials = 5'000;
  double sum = 0;
  for (int i = 0; i < trials; ++i) sum += judge({ratios(machine.run(1))}, {}).at(0)->detectable;
  const double typical = sum / trials;
  const int found =
      count(trials, [&] { return verdict(machine, 1 + typical) == Verdict::regressed; });
  // Each value is an estimate from the scatter of its own pairs; their mean is close.
  EXPECT_GE(found, trials * 93 / 100) << typical;
  EXPECT_LE(found, trials * 98 / 100) << typical;
}

/// Counts of verdicts under a disturbance: without a change, and with 5 %.
struct Outcome {
  int alarms = 0, found = 0, opposite = 0;
};
Outcome outcome(unsigned seed, int trials, const std::function<double(int)>& disturbance) {
  Machine machine(seed, disturbance);
  Outcome result;
  for (int i = 0; i < trials; ++i) {
    result.alarms += alarm(verdict(machine, 1)) ? 1 : 0;
    const auto found = verdict(machine, 1.05);
    result.found += found == Verdict::regressed ? 1 : 0;
    result.opposite += found == Verdict::improved ? 1 : 0;
  }
  return result;
}

TEST(Step, OfTheMachineIsNoChangeOfTheProgram) {
  constexpr int trials = 2'000;
  for (const int at : {1, 2, 7, 10, 19}) {
    const auto result = outcome(8, trials, [at](int n) { return n >= at ? 1.2 : 1.0; });
    EXPECT_LE(result.alarms, trials / 100) << at;
    EXPECT_GE(result.found, trials * 80 / 100) << at;
    EXPECT_EQ(result.opposite, 0) << at;
  }
}

TEST(Drift, OfTheMachineIsNoChangeOfTheProgram) {
  constexpr int trials = 2'000;
  for (const double slope : {0.002, -0.002, 0.01}) {
    const auto result = outcome(9, trials, [slope](int n) { return std::exp(slope * n); });
    EXPECT_LE(result.alarms, trials / 100) << slope;
    EXPECT_GE(result.found, trials * 85 / 100) << slope;
  }
}

TEST(OneOutlier, NeitherMakesAnAlarmNorHidesAChange) {
  constexpr int trials = 2'000;
  for (const double outlier : {2.0, 100.0, 0.5}) {
    for (const int at : {0, 9, 18}) {
      const auto result = outcome(10, trials, [=](int n) { return n == at ? outlier : 1.0; });
      EXPECT_LE(result.alarms, trials / 100) << outlier << " at " << at;
      EXPECT_GE(result.found, trials * 80 / 100) << outlier << " at " << at;
    }
  }
}

}  // namespace
}  // namespace vparity::reports
