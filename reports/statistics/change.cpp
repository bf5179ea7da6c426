#include "reports/statistics/change.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "reports/statistics/trimmed_mean.h"

namespace vparity::reports {
namespace {

using boost::math::students_t;

constexpr double power = 0.95;

/// One-sided p-value of the hypothesis that the true mean is at most `bound`.
double p_above(const MeanEstimate& estimate, double bound) {
  const double distance = estimate.mean - bound;
  // Without scatter the distribution is a step.
  if (estimate.standard_error == 0) return distance > 0 ? 0 : 1;
  return cdf(
      complement(students_t(estimate.degrees_of_freedom), distance / estimate.standard_error));
}

/// One-sided p-value of the hypothesis that the true mean is at least `bound`.
double p_below(const MeanEstimate& estimate, double bound) {
  return p_above({-estimate.mean, estimate.standard_error, estimate.degrees_of_freedom}, -bound);
}

/// Doubled, so that the p-value of a single case decides as its two-sided interval does.
double two_sided(double p) { return std::min(1.0, 2 * p); }

/// How many standard errors beyond the threshold a change must lie to be found with probability
/// `power`. The standard error is itself an estimate, so the non-central t distribution applies, in
/// Johnson and Welch's approximation (Biometrika 31 (1940)). The error rate is that of the
/// strictest step of Holm's procedure: divided by the number of cases.
double detectable_errors(double degrees_of_freedom, double error_rate, std::size_t cases) {
  const double tail = error_rate / 2 / static_cast<double>(cases);
  const double critical = quantile(complement(students_t(degrees_of_freedom), tail));
  const double spread = std::sqrt(1 + critical * critical / (2 * degrees_of_freedom));
  return critical + quantile(boost::math::normal(), power) * spread;
}

double detectable(const MeanEstimate& estimate, const Criteria& criteria, std::size_t cases) {
  const double errors =
      detectable_errors(estimate.degrees_of_freedom, criteria.error_rate(), cases);
  return (1 + criteria.threshold) * std::exp(errors * estimate.standard_error) - 1;
}

double half_width(const MeanEstimate& estimate, double error_rate) {
  const students_t distribution(estimate.degrees_of_freedom);
  return quantile(complement(distribution, error_rate / 2)) * estimate.standard_error;
}

Change change_of(std::span<const double> log_ratios, const Criteria& criteria, std::size_t cases) {
  const auto estimate = trimmed_mean(log_ratios);
  const double edge = std::log1p(criteria.threshold);
  const double reach = half_width(estimate, criteria.error_rate());
  return {.pairs = log_ratios.size(),
          .ratio = std::expm1(estimate.mean),
          .low = std::expm1(estimate.mean - reach),
          .high = std::expm1(estimate.mean + reach),
          .p_changed = two_sided(std::min(p_above(estimate, edge), p_below(estimate, -edge))),
          .p_equivalent = two_sided(std::max(p_below(estimate, edge), p_above(estimate, -edge))),
          .detectable = detectable(estimate, criteria, cases)};
}

Verdict verdict_of(const Change& change, double error_rate) {
  if (change.pairs < fewest_pairs) return Verdict::inconclusive;
  if (change.p_changed <= error_rate)
    return change.ratio > 0 ? Verdict::regressed : Verdict::improved;
  return change.p_equivalent <= error_rate ? Verdict::equivalent : Verdict::inconclusive;
}

bool can_be_judged(const std::vector<double>& log_ratios) {
  return log_ratios.size() >= 2 &&
         std::ranges::all_of(log_ratios, [](double value) { return std::isfinite(value); });
}

/// Replaces one kind of p-value of all cases by the adjusted ones.
void adjust(std::vector<std::optional<Change>>& changes, double Change::*p_value) {
  std::vector<double> values;
  for (const auto& change : changes)
    if (change) values.push_back((*change).*p_value);
  const auto adjusted = holm_adjusted(values);
  for (std::size_t i = 0; auto& change : changes)
    if (change) (*change).*p_value = adjusted[i++];
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed:
      return "regressed";
    case Verdict::improved:
      return "improved";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::inconclusive:
      break;
  }
  return "inconclusive";
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t left = order.size(); const std::size_t i : order) {
    largest = std::max(largest, std::min(1.0, p_values[i] * static_cast<double>(left--)));
    adjusted[i] = largest;
  }
  return adjusted;
}

std::vector<double> log_ratios(std::span<const double> base, std::span<const double> head) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < base.size(); ++i) ratios.push_back(std::log(head[i] / base[i]));
  return ratios;
}

std::vector<std::optional<Change>> judge(const std::vector<std::vector<double>>& cases,
                                         const Criteria& criteria) {
  const auto judged = static_cast<std::size_t>(std::ranges::count_if(cases, can_be_judged));
  std::vector<std::optional<Change>> changes;
  for (const auto& log_ratios : cases) {
    changes.emplace_back();
    if (can_be_judged(log_ratios)) changes.back() = change_of(log_ratios, criteria, judged);
  }
  adjust(changes, &Change::p_changed);
  adjust(changes, &Change::p_equivalent);
  for (auto& change : changes)
    if (change) change->verdict = verdict_of(*change, criteria.error_rate());
  return changes;
}

}  // namespace vparity::reports
