#include "reports/comparison/parity_differences.h"

#include <algorithm>
#include <functional>

#include "reports/comparison/side.h"
#include "reports/model/gate.h"

namespace vparity::reports {
namespace {

/// The same inputs and kernels give the same error ratios, so growth by more than a quarter comes
/// from a change. Far below the bound, a change of rounding means nothing.
constexpr double grown = 1.25;
constexpr double worth_telling = 0.1;

/// Failing the gate is worst, then any status other than passed.
int badness(const CaseResult& result) {
  if (fails_gate(result)) return 2;
  return result.status == Status::passed ? 0 : 1;
}

const CaseResult& worst_of(const CaseRuns& runs) {
  const CaseResult* worst = nullptr;
  for (const auto* result : runs)
    if (result != nullptr && (worst == nullptr || badness(*result) > badness(*worst)))
      worst = result;
  return *worst;
}

/// Nothing if no run has this output.
std::optional<double> largest_error_ratio(const CaseRuns& runs, const std::string& output) {
  std::optional<double> largest;
  for (const auto* result : runs) {
    if (result == nullptr) continue;
    for (const auto& one : result->outputs)
      if (one.name == output) largest = std::max(largest.value_or(0), one.error_ratio);
  }
  return largest;
}

bool grew(const ErrorRatioChange& change) {
  return change.head > grown * change.base.value_or(0) && change.head >= worth_telling;
}

/// The outputs of the worst run of head for which `told` is true, the worst first.
template <typename Told>
std::vector<ErrorRatioChange> error_ratios_of(const CaseRuns& base, const CaseRuns& head,
                                              const Told& told) {
  std::vector<ErrorRatioChange> found;
  for (const auto& output : worst_of(head).outputs) {
    ErrorRatioChange change{output.name, largest_error_ratio(base, output.name),
                            largest_error_ratio(head, output.name).value_or(0)};
    if (told(change)) found.push_back(std::move(change));
  }
  std::ranges::stable_sort(found, std::greater(), &ErrorRatioChange::head);
  return found;
}

/// The change to report, if any.
std::optional<ParityChange> change_between(const CaseResult* base, const CaseResult* head,
                                           bool error_ratios_grew) {
  if (head == nullptr) return ParityChange::missing;
  const bool fails = fails_gate(*head);
  if (base == nullptr) return fails ? ParityChange::regressed : ParityChange::fresh;
  const bool failed = fails_gate(*base);
  if (fails != failed) return fails ? ParityChange::regressed : ParityChange::fixed;
  if (base->status != head->status) return ParityChange::changed;
  if (head->status == Status::passed && error_ratios_grew) return ParityChange::error_ratio_grew;
  return {};
}

struct Pair {
  const CaseRuns& base;
  const CaseRuns& head;
  const CaseResult* base_worst;
  const CaseResult* head_worst;
};

ParityDifference difference_of(const Pair& pair, ParityChange change) {
  const CaseResult& shown = pair.head_worst ? *pair.head_worst : *pair.base_worst;
  ParityDifference difference{.id = shown.id,
                              .key = shown.key,
                              .params = shown.params,
                              .change = change,
                              .base = {},
                              .head = {},
                              .error_ratios = {},
                              .repeat = shown.repeat};
  if (pair.base_worst) difference.base = pair.base_worst->status;
  if (pair.head_worst) difference.head = pair.head_worst->status;
  const bool regressed = change == ParityChange::regressed;
  if (regressed || (pair.base_worst && pair.head_worst))
    difference.error_ratios =
        error_ratios_of(pair.base, pair.head, [&](const ErrorRatioChange& one) {
          return (regressed && one.head > 1) || (pair.base_worst && grew(one));
        });
  return difference;
}

double largest_error_ratio(const ParityDifference& difference) {
  return difference.error_ratios.empty() ? 0 : difference.error_ratios.front().head;
}

/// Sorts by kind of change, in the order of the enumeration, then by the largest error ratio.
bool worse(const ParityDifference& one, const ParityDifference& other) {
  if (one.change != other.change) return one.change < other.change;
  return largest_error_ratio(one) > largest_error_ratio(other);
}

}  // namespace

void compare_parity(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                    Comparison& comparison) {
  const Side before(base, Measure::parity), after(head, Measure::parity);
  for (const auto& id : ids_of(before, after)) {
    const CaseRuns &old_runs = before.runs_of(id), &new_runs = after.runs_of(id);
    const Pair pair{old_runs, new_runs, before.has(id) ? &worst_of(old_runs) : nullptr,
                    after.has(id) ? &worst_of(new_runs) : nullptr};
    const bool both = pair.base_worst && pair.head_worst;
    if (both) ++comparison.parity_compared;
    if (both && fails_gate(*pair.base_worst) && fails_gate(*pair.head_worst))
      ++comparison.parity_failing_in_both;
    const bool error_ratios_grew = both && !error_ratios_of(old_runs, new_runs, grew).empty();
    if (const auto change = change_between(pair.base_worst, pair.head_worst, error_ratios_grew))
      comparison.parity.push_back(difference_of(pair, *change));
  }
  std::ranges::stable_sort(comparison.parity, worse);
}

}  // namespace vparity::reports
