#include "reports/statistics/split_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace vparity::reports {
namespace {

// Below, N values are split into m and n, m <= n; H is the distribution function of all values, F
// and G those of the sides; a_i is the function 1[x_i <= z] - H(z) of z, with the norm of L2. The
// statistic is at most 2 mn/N times the integral of (F - G)^2, which is 2N/(mn) |sum_left a_i|^2:
// it is that if pairs of a value with itself count among the means.

using Values = std::vector<double>;

double squared(double value) { return value * value; }

Values in_order(std::span<const double> values) {
  Values copy(values.begin(), values.end());
  std::ranges::sort(copy);
  return copy;
}

/// Of sorted values: |a_i|, which is the root of (mean distance of x_i to all, less half the mean
/// distance of all to all).
Values norms_of(const Values& sorted) {
  const auto count = static_cast<double>(sorted.size());
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  Values distances;
  for (double i = 0, below = 0; const double value : sorted) {
    distances.push_back(((2 * i - count) * value + total - 2 * below) / count);
    below += value;
    ++i;
  }
  const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / count;
  for (double& value : distances) value = std::sqrt(std::max(0.0, value - mean / 2));
  return distances;
}

/// For few values on a side: a sum of m of the a_i. With replacement, and so without (W. Hoeffding,
/// JASA 58 (1963), theorem 4),
///   E cosh(r |sum|) <= (1 + mean(e^(r |a|) - 1 - r |a|))^m
/// in a Hilbert space (I. Pinelis, Ann. Probab. 22 (1994), theorem 3.2); cosh x >= e^x / 2.
class SumOfFew {
 public:
  explicit SumOfFew(const Values& norms) {
    const auto count = static_cast<double>(norms.size());
    double mean_square = 0;
    for (const double norm : norms) mean_square += squared(norm) / count;
    for (double step = -6; step <= 12; ++step) {
      const double rate = std::exp2(step / 2) / std::sqrt(mean_square);
      double mean = 0;
      for (const double norm : norms) mean += (std::expm1(rate * norm) - rate * norm) / count;
      rates_.push_back({rate, std::log1p(mean)});
    }
  }

  /// That the norm of a sum of `m` is at least `norm`.
  double bound(double m, double norm) const {
    double least = 0;
    for (const auto& [rate, growth] : rates_) least = std::min(least, m * growth - rate * norm);
    return 2 * std::exp(least);
  }

 private:
  struct Rate {
    double rate, growth;
  };
  std::vector<Rate> rates_;
};

/// j (N - j + 1) by the smaller of j and N - j.
double draws(double j, double all) { return j * (all - j) + std::min(j, all - j); }

/// For many values on a side: by Serfling's inequality for draws without replacement (Ann. Statist.
/// 2 (1974)), at a z that k values do not exceed, seen as m draws or as k of them,
///   P(mn/N (F - G)^2 > t) <= 2 e^(-2t mn / min(draws(m), draws(k))).
/// Times that share mn / min(...), with the range between neighbouring values as weights, the mean
/// has no larger exponential moment than the worst z (Jensen); Markov's inequality at the best
/// rate. `reach`: the sum over those ranges of min(draws(m), draws(k)) / (mn).
double bound_of_many(double statistic, double reach) {
  const double exponent = statistic / reach;
  if (!(exponent > 2)) return 1;
  const double share = std::sqrt(1 - 2 / exponent);
  return std::exp(-share * exponent) * (1 + share) / (1 - share);
}

}  // namespace

double split_bound(std::span<const double> values, std::size_t fewest, double statistic) {
  const auto ordered = in_order(values);
  const std::size_t size = ordered.size();
  const auto all = static_cast<double>(size);
  const SumOfFew few(norms_of(ordered));
  double outside = 0, inside = ordered.back() - ordered.front(), bound = 0;
  for (std::size_t left = 1; left <= size / 2; ++left) {
    const auto m = static_cast<double>(left), n = all - m;
    // The ranges that `left` values lie below, or above.
    double range = ordered[left] - ordered[left - 1];
    if (left != size - left) range += ordered[size - left] - ordered[size - left - 1];
    outside += range * draws(m, all);
    inside -= range;
    if (left < fewest) continue;
    const double reach = (outside + inside * draws(m, all)) / (m * n);
    const double here = std::min(bound_of_many(statistic, reach),
                                 few.bound(m, std::sqrt(statistic * m * n / (2 * all))));
    bound += (left == size - left ? 1 : 2) * here;
  }
  return std::min(1.0, bound);
}

}  // namespace vparity::reports
