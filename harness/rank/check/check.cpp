#include "harness/rank/check/check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/rank/check/relation_checks.h"
#include "harness/rank/check/verdict.h"
#include "harness/rank/element_comparison/comparison.h"
#include "harness/rank/element_comparison/expectation.h"
#include "harness/rank/ranks/phases.h"

namespace vparity::harness {
namespace {

/// One check on its way through the phases.
class CheckRun {
 public:
  /// Local: makes the inputs.
  CheckRun(const Check& check, const ProcessGrid& grid)
      : task_(check.task), grid_(grid), run_(task_, grid), findings_(task_.problem.gradient_dtype) {
    findings_.occurrence = run_.inputs().occurrence(task_.problem, grid_.tp().rank() == 0);
  }

  void forward() {
    run_.forward();
    findings_.global = run_.outputs().global;
  }

  void backward() { run_.backward(); }

  void make_reference() {
    own_ = make_own_expectation(task_.operands, task_.problem, run_.split(), grid_);
  }

  void share_reference() {
    expected_ = share_expectation(own_, task_.operands, task_.problem, grid_);
  }

  void compare() {
    const RankOutputs& outputs = run_.outputs();
    const Compared compared = compare_outputs(expected_, run_);
    findings_.comparisons = compared.right;
    findings_.naive = compared.naive;
    findings_.gradient_row_sum = gradient_row_sum(grid_, compared.gradient_sums);
    findings_.entropy_range = compared.entropy_range;
    findings_.row_sums = compared.row_sums;
    findings_.inputs_unchanged = run_.inputs_unchanged();
    findings_.guards_intact = run_.inputs().buffer()->guards_intact() && outputs.guards_intact();
    findings_.unwritten_elements = outputs.unwritten_elements();
    findings_.occurrence.combine(own_.occurrence);
    count_gradient(findings_.comparisons[Output::grad_logits]);
    findings_.disagreement = find_disagreement(outputs, run_.inputs().first_row(), grid_);
    findings_ = combine_findings(grid_.world(), findings_);
    invariants_ = invariants_of(findings_, expected_.sums.right);
  }

  bool failed() const { return failure_of(findings_, invariants_).has_value(); }

  void add_invariants(std::vector<PlacedInvariant> further) {
    std::ranges::move(further, std::back_inserter(invariants_));
  }

  void conclude(CheckResult& result) {
    reports::CaseOutcome& outcome = result.outcome;
    outcome.reason = failure_of(findings_, invariants_);
    outcome.status = outcome.reason ? reports::Status::failed : reports::Status::passed;
    outcome.phase = "done";
    reports::ParityFindings& parity = outcome.parity();
    for (const PlacedInvariant& placed : invariants_) {
      parity.invariants.push_back(placed.invariant);
    }
    const std::int64_t disagreements = findings_.disagreement.values;
    parity.rank_agreement = disagreements == 0;
    parity.invariants.push_back(
        {"rank_agreement", parity.rank_agreement, static_cast<double>(disagreements), 0});
    parity.inputs_unchanged = findings_.inputs_unchanged;
    for (std::size_t i = 0; i < output_names.size(); ++i) {
      const OutputComparison& comparison = findings_.comparisons.all()[i];
      const OutputComparison& naive = findings_.naive.all()[i];
      const std::string name(output_names[i]);
      outcome.outputs.push_back(comparison.result(name, task_.problem.vocab));
      if (naive.elements() > 0)
        outcome.outputs.back().naive = {naive.max_abs(), naive.error_ratio()};
      if (comparison.elements() > 0 && comparison.expected_zeros() == comparison.elements()) {
        result.zero_outputs.push_back(name);
      }
    }
    result.occurrence = findings_.occurrence;
    result.computed = run_.take_outputs();
  }

  const KernelRun& kernel_run() const { return run_; }

 private:
  /// Padding, all of which is expected to be 0, is left out.
  void count_gradient(const OutputComparison& gradient) {
    const ShardColumns& columns = run_.inputs().columns();
    const std::int64_t padding = run_.inputs().rows() * (columns.width - columns.valid());
    findings_.occurrence.gradient_elements = gradient.elements() - padding;
    findings_.occurrence.gradient_zeros = gradient.expected_zeros() - padding;
  }

  const KernelTask& task_;
  const ProcessGrid& grid_;
  KernelRun run_;
  OwnExpectation own_;
  Expectation expected_;
  Findings findings_;
  std::vector<PlacedInvariant> invariants_;
};

void run_phases(const Check& check, const ProcessGrid& grid, Phases& phases, CheckResult& result) {
  std::optional<CheckRun> run;
  phases.run("inputs", [&] { run.emplace(check, grid); });
  phases.run("forward", [&] { run->forward(); });
  phases.run("backward", [&] { run->backward(); });
  phases.run("reference", [&] { run->make_reference(); });
  phases.run("reference", [&] { run->share_reference(); });
  phases.run("compare", [&] { run->compare(); });
  if (check.relations && !run->failed()) {
    run->add_invariants(check_relations(phases, run->kernel_run()));
  }
  run->conclude(result);
}

/// All but the occurrence as JSON.
CheckResult checked(const Check& check, const ProcessGrid& grid, const PhaseCallback& on_phase,
                    std::chrono::milliseconds grace) {
  CheckResult result;
  reports::CaseOutcome& outcome = result.outcome;
  if (const auto why = check.task.provider.declined(check.task.problem)) {
    outcome.status = reports::Status::skipped;
    outcome.reason = {"unsupported", *why};
    outcome.phase = "done";
    return result;
  }
  Phases phases(check.name, grid.world(), on_phase, grace);
  try {
    run_phases(check, grid, phases, result);
  } catch (const PhaseFailed& failure) {
    outcome.status = reports::Status::error;
    outcome.reason = failure.reason;
    outcome.phase = failure.phase;
  }
  outcome.parity().phases_s = phases.seconds();
  return result;
}

}  // namespace

CheckResult run_check(const Check& check, const ProcessGrid& grid, const PhaseCallback& on_phase,
                      std::chrono::milliseconds grace) {
  CheckResult result = checked(check, grid, on_phase, grace);
  result.outcome.parity().occurrence = to_json(result.occurrence);
  return result;
}

}  // namespace vparity::harness
