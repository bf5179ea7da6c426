#include "reports/comparison/throughput_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/comparison/obstacles.h"
#include "reports/comparison/side.h"
#include "reports/model/gate.h"
#include "reports/statistics/median.h"

namespace vparity::reports {
namespace {

using Runs = std::vector<ComparedRun>;

/// All runs must agree in machine and, without `across_builds`, in build.
std::optional<Reason> obstacle_of_machines(const Runs& base, const Runs& head, bool across_builds) {
  for (const Runs* side : {&base, &head}) {
    for (const auto& run : *side)
      // The runs of one side are of one build.
      if (auto found = other_machine(side->front().report, run.report, false)) return found;
  }
  return other_machine(base.front().report, head.front().report, across_builds);
}

std::optional<Reason> obstacle_of_case(const CaseRuns& runs, const CaseRuns& parity,
                                       std::string_view side) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i] == nullptr)
      return Reason{"missing_in_run", fmt::format("not in run {} of {}", i + 1, side)};
    if (auto found = unusable(*runs[i], parity[i])) {
      found->text = fmt::format("{}: {}", side, found->text);
      return found;
    }
  }
  return {};
}

bool fails(const CaseRuns& runs) {
  return std::ranges::any_of(
      runs, [](const CaseResult* result) { return result != nullptr && fails_gate(*result); });
}

std::vector<double> medians_of(const CaseRuns& runs) {
  std::vector<double> medians;
  for (const auto* result : runs)
    if (result != nullptr && result->was_timed())
      medians.push_back(median(result->timing().samples_s));
  return medians;
}

/// The sides of one measure.
struct Sides {
  Sides(const Runs& base_runs, const Runs& head_runs, Measure measure)
      : base(base_runs, measure), head(head_runs, measure) {}
  Side base, head;
};

/// Everything except the change.
ThroughputDifference difference_of(const std::string& id, const Sides& timed, const Sides& parity,
                                   const std::optional<Reason>& machines) {
  const CaseRuns &base = timed.base.runs_of(id), &head = timed.head.runs_of(id);
  const CaseResult& shown = any_of(timed.head.has(id) ? head : base);
  ThroughputDifference difference{.id = id,
                                  .key = shown.key,
                                  .variant = shown.timing().variant,
                                  .params = shown.params,
                                  .base_s = medians_of(base),
                                  .head_s = medians_of(head),
                                  .change = {},
                                  .observed = {},
                                  .reason = {},
                                  .verdict = "not_comparable",
                                  .repeat = shown.repeat};
  if (!timed.base.has(id)) difference.verdict = "new", difference.reason = {"new", "not in base"};
  if (!timed.head.has(id))
    difference.verdict = "missing", difference.reason = {"missing", "not in head"};
  if (fails(head) && !fails(base))
    difference.reason = {std::string(broken), "the case fails in head and not in base"};
  else if (difference.reason)
    return difference;
  else if (machines)
    difference.reason = machines;
  else if (auto found = obstacle_of_case(base, parity.base.runs_of(id), "base"))
    difference.reason = found;
  else
    difference.reason = obstacle_of_case(head, parity.head.runs_of(id), "head");
  return difference;
}

std::optional<double> observed_ratio(const ThroughputDifference& difference) {
  if (difference.base_s.empty() || difference.head_s.empty()) return {};
  const double ratio = median(difference.head_s) / median(difference.base_s) - 1;
  if (!std::isfinite(ratio)) return {};
  return ratio;
}

/// One process cannot show how processes scatter, however many samples it took.
Reason few_pairs(std::size_t pairs) {
  return {"too_few_pairs",
          fmt::format("{} process{} of each side; a verdict needs at least {} pairs", pairs,
                      pairs == 1 ? "" : "es", fewest_pairs)};
}

void judge_all(std::vector<ThroughputDifference>& differences, const Criteria& criteria) {
  std::vector<std::vector<double>> cases;
  for (const auto& one : differences)
    if (!one.reason) cases.push_back(log_ratios(one.base_s, one.head_s));
  const auto changes = judge(cases, criteria);
  for (std::size_t i = 0; auto& one : differences) {
    if (one.reason) continue;
    one.observed = observed_ratio(one);
    one.change = changes[i++];
    one.verdict = name_of(one.change ? one.change->verdict : Verdict::inconclusive);
    if (one.base_s.size() < fewest_pairs) one.reason = few_pairs(one.base_s.size());
  }
}

std::size_t rank_of(const ThroughputDifference& one) {
  static constexpr std::array order{"regressed", "improved", "inconclusive", "not_comparable",
                                    "missing",   "new",      "equivalent"};
  return static_cast<std::size_t>(std::ranges::find(order, one.verdict) - order.begin());
}

double effect_of(const ThroughputDifference& one) {
  if (one.change) return std::abs(std::log1p(one.change->ratio));
  return one.observed ? std::abs(std::log1p(*one.observed)) : 0;
}

bool slower_first(const ThroughputDifference& one, const ThroughputDifference& other) {
  if (rank_of(one) != rank_of(other)) return rank_of(one) < rank_of(other);
  return effect_of(one) > effect_of(other);
}

}  // namespace

void compare_throughput(const Runs& base, const Runs& head, Comparison& comparison) {
  const Sides timed(base, head, Measure::throughput), parity(base, head, Measure::parity);
  const auto machines = obstacle_of_machines(base, head, comparison.options.across_builds);
  auto& differences = comparison.throughput;
  for (const auto& id : ids_of(timed.base, timed.head))
    differences.push_back(difference_of(id, timed, parity, machines));
  judge_all(differences, comparison.options.criteria);
  std::ranges::stable_sort(differences, slower_first);
}

}  // namespace vparity::reports
