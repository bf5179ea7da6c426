#include "reports/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/comparison/parity_differences.h"
#include "reports/comparison/throughput_differences.h"

namespace vparity::reports {
namespace {

std::vector<ComparedRun> without_cases(const std::vector<ComparedRun>& runs) {
  std::vector<ComparedRun> heads;
  for (const auto& run : runs) {
    Report report = run.report;
    report.cases.clear();
    heads.push_back({run.path, std::move(report)});
  }
  return heads;
}

/// Whether all runs of both sides agree in one member.
template <class Member>
bool all_equal(const Comparison& comparison, const Member& member) {
  const auto& first = comparison.base.front().report.run;
  const auto equal = [&](const ComparedRun& one) {
    return member(one.report.run) == member(first);
  };
  return std::ranges::all_of(comparison.base, equal) && std::ranges::all_of(comparison.head, equal);
}

bool is_broken(const ThroughputDifference& one) { return one.reason && one.reason->code == broken; }

bool shares_a_run(const Comparison& comparison) {
  const auto is_in_base = [&](const ComparedRun& head) {
    return std::ranges::any_of(comparison.base, [&](const ComparedRun& base) {
      return base.report.run.id == head.report.run.id;
    });
  };
  return std::ranges::any_of(comparison.head, is_in_base);
}

std::vector<std::string> notes_of(const Comparison& comparison) {
  std::vector<std::string> notes;
  if (!all_equal(comparison, [](const Run& run) { return run.seed; }))
    notes.emplace_back(
        "the runs have different seeds, so their error ratios come from different inputs");
  if (!all_equal(comparison, [](const Run& run) { return run.matrix; }))
    notes.emplace_back("the runs ran different matrices");
  if (!all_equal(comparison, [](const Run& run) { return run.complete; }) ||
      !comparison.base.front().report.run.complete)
    notes.emplace_back("not every run is complete");
  if (shares_a_run(comparison))
    notes.emplace_back(
        "a run is on both sides: comparing it with itself says nothing about the builds");
  const auto few_pairs = [](const ThroughputDifference& one) {
    return one.reason && one.reason->code == "too_few_pairs";
  };
  const auto few = std::ranges::find_if(comparison.throughput, few_pairs);
  if (few != comparison.throughput.end())
    notes.push_back(fmt::format(
        "throughput: {}. More samples of the same process do not help. Give several runs of "
        "each side with compare --base RUN... --head RUN..., or let ab run them",
        few->reason->text));
  return notes;
}

}  // namespace

std::string_view name_of(ParityChange change) {
  switch (change) {
    case ParityChange::regressed:
      return "regressed";
    case ParityChange::fixed:
      return "fixed";
    case ParityChange::changed:
      return "changed";
    case ParityChange::error_ratio_grew:
      return "error_ratio_grew";
    case ParityChange::fresh:
      return "new";
    case ParityChange::missing:
      break;
  }
  return "missing";
}

std::int64_t Comparison::count(ParityChange change) const {
  return std::ranges::count(parity, change, &ParityDifference::change);
}

std::int64_t Comparison::count(std::string_view verdict) const {
  return std::ranges::count(throughput, verdict, &ThroughputDifference::verdict);
}

Comparison compare_runs(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                        const ComparisonOptions& options) {
  Comparison comparison;
  comparison.options = options;
  comparison.base = without_cases(base);
  comparison.head = without_cases(head);
  compare_parity(base, head, comparison);
  compare_throughput(base, head, comparison);
  comparison.notes = notes_of(comparison);
  return comparison;
}

ExitCode exit_code(const Comparison& comparison) {
  const bool worse = comparison.count(ParityChange::regressed) > 0 ||
                     comparison.count("regressed") > 0 ||
                     std::ranges::any_of(comparison.throughput, is_broken);
  if (worse) return exit_failed;
  // A case that passed and is not checked any more is no pass.
  const bool unchecked = std::ranges::any_of(comparison.parity, [](const auto& one) {
    return one.change == ParityChange::missing ||
           (one.change == ParityChange::changed && one.base == Status::passed);
  });
  for (const auto* verdict : {"missing", "not_comparable", "inconclusive"})
    if (comparison.count(verdict) > 0) return exit_inconclusive;
  return unchecked ? exit_inconclusive : exit_passed;
}

}  // namespace vparity::reports
