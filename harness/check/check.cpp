#include "harness/check/check.h"

#include <utility>

#include "harness/check/agreement.h"
#include "harness/check/comparison.h"
#include "harness/check/expectation.h"
#include "harness/check/phases.h"
#include "harness/check/rank_inputs.h"
#include "harness/check/verdict.h"

namespace vparity::harness {
namespace {

/// One check on its way through the phases.
class CheckRun {
 public:
  CheckRun(const Check& check, const ProcessGrid& grid)
      : check_(check),
        grid_(grid),
        split_(VocabularySplit::of_layout(check.problem.layout, check.problem.vocab,
                                          grid.tp().size())),
        findings_(check.problem.gradient_dtype) {}

  void make_inputs() {
    const ShardColumns& columns = split_.shard(grid_.tp().rank());
    inputs_ = std::make_unique<RankInputs>(check_.operands, check_.problem, check_.grad_of,
                                           check_.placement, grid_.dp().rank(), columns);
    outputs_ = std::make_unique<RankOutputs>(check_.problem, *inputs_, check_.placement);
    hashes_ = inputs_->hashes();
    findings_.occurrence = inputs_->occurrence(check_.problem, grid_.tp().rank() == 0);
  }

  void forward() {
    session_ = check_.provider.prepare(check_.problem, grid_.groups(), inputs_->columns());
    outputs_->global = session_->forward(inputs_->logits(), inputs_->ids(), outputs_->views());
    findings_.global = outputs_->global;
    findings_.inputs_unchanged = inputs_->hashes() == hashes_;
  }

  void backward() {
    const MutableVocabShard gradient(outputs_->gradient->mutable_rows(), inputs_->columns());
    session_->backward(inputs_->logits(), inputs_->ids(), inputs_->upstream(), gradient);
    InputHashes now = inputs_->hashes();
    if (check_.problem.in_place) now.logits = hashes_.logits;
    findings_.inputs_unchanged = findings_.inputs_unchanged && now == hashes_;
  }

  void make_reference() {
    own_ = make_own_expectation(check_.operands, check_.problem, split_, grid_);
  }

  void share_reference() {
    expected_ = share_expectation(own_, check_.operands, check_.problem, grid_);
  }

  void compare() {
    findings_.comparisons =
        compare_outputs(expected_, *inputs_, *outputs_, check_.operands, check_.problem, grid_);
    findings_.guards_intact = inputs_->buffer()->guards_intact() && outputs_->guards_intact();
    findings_.unwritten_elements = outputs_->unwritten_elements();
    findings_.occurrence.combine(own_.occurrence);
    count_gradient(findings_.comparisons[Output::grad_logits]);
    findings_.disagreement = find_disagreement(*outputs_, inputs_->first_row(), grid_);
    findings_ = combine_findings(grid_.world(), findings_);
  }

  void conclude(CheckResult& result) {
    result.invariants = global_invariants(findings_.global, expected_.global);
    result.reason = failure_of(findings_, result.invariants);
    result.status = result.reason ? reports::Status::failed : reports::Status::passed;
    for (std::size_t i = 0; i < output_names.size(); ++i) {
      const OutputComparison& comparison = findings_.comparisons.all()[i];
      const std::string name(output_names[i]);
      result.outputs.push_back(comparison.result(name, check_.problem.vocab));
      if (comparison.elements() > 0 && comparison.expected_zeros() == comparison.elements()) {
        result.zero_outputs.push_back(name);
      }
    }
    result.rank_agreement = findings_.disagreement.empty();
    result.inputs_unchanged = findings_.inputs_unchanged;
    result.occurrence = findings_.occurrence;
    result.computed = std::move(outputs_);
  }

 private:
  /// Padding, all of which is expected to be 0, is left out.
  void count_gradient(const OutputComparison& gradient) {
    const ShardColumns& columns = inputs_->columns();
    const std::int64_t padding = inputs_->rows() * (columns.width - columns.valid());
    findings_.occurrence.gradient_elements = gradient.elements() - padding;
    findings_.occurrence.gradient_zeros = gradient.expected_zeros() - padding;
  }

  const Check& check_;
  const ProcessGrid& grid_;
  VocabularySplit split_;
  std::unique_ptr<RankInputs> inputs_;
  std::unique_ptr<RankOutputs> outputs_;
  std::unique_ptr<KernelSession> session_;
  InputHashes hashes_;
  OwnExpectation own_;
  Expectation expected_;
  Findings findings_;
};

void run_phases(const Check& check, const ProcessGrid& grid, Phases& phases, CheckResult& result) {
  std::optional<CheckRun> run;
  phases.run("inputs", [&] {
    run.emplace(check, grid);
    run->make_inputs();
  });
  phases.run("forward", [&] { run->forward(); });
  phases.run("backward", [&] { run->backward(); });
  phases.run("reference", [&] { run->make_reference(); });
  phases.run("reference", [&] { run->share_reference(); });
  phases.run("compare", [&] { run->compare(); });
  run->conclude(result);
  result.phase = "done";
}

}  // namespace

CheckResult run_check(const Check& check, const ProcessGrid& grid, const PhaseCallback& on_phase,
                      std::chrono::milliseconds grace) {
  CheckResult result;
  if (const auto why = check.provider.unsupported(check.problem)) {
    result.status = reports::Status::skipped;
    result.reason = {"unsupported", *why};
    result.phase = "done";
    return result;
  }
  Phases phases(check.name, grid.world(), on_phase, grace);
  try {
    run_phases(check, grid, phases, result);
  } catch (const PhaseFailed& failure) {
    result.status = reports::Status::error;
    result.reason = failure.reason;
    result.phase = failure.phase;
  }
  return result;
}

}  // namespace vparity::harness
