#include "harness/rank/execution/kernel_run.h"

namespace vparity::harness {

KernelRun::KernelRun(const KernelTask& task, const ProcessGrid& grid)
    : task_(task),
      grid_(grid),
      split_(VocabularySplit::of_layout(task.problem.layout, task.problem.vocab, grid.tp().size())),
      inputs_(task.operands, task.problem, task.grad_of, task.placement, grid.dp().rank(),
              split_.shard(grid.tp().rank())),
      hashes_(inputs_.hashes()),
      outputs_(std::make_unique<RankOutputs>(task.problem, inputs_, task.placement)) {}

void KernelRun::forward() {
  session_ = task_.provider.prepare(task_.problem, grid_.groups(), inputs_.columns());
  if (session_->fused()) {
    outputs_->global = session_->forward_backward(
        inputs_.logits(), inputs_.ids(), inputs_.upstream(), outputs_->views(), gradient());
    look_at_inputs(task_.problem.in_place);
  } else {
    outputs_->global = session_->forward(inputs_.logits(), inputs_.ids(), outputs_->views());
    look_at_inputs(false);
  }
}

void KernelRun::backward() {
  if (session_->fused()) return;
  session_->backward(inputs_.logits(), inputs_.ids(), inputs_.upstream(), gradient());
  look_at_inputs(task_.problem.in_place);
}

MutableVocabShard KernelRun::gradient() {
  return {outputs_->gradient->mutable_rows(), inputs_.columns()};
}

void KernelRun::look_at_inputs(bool logits_gave_way) {
  InputHashes now = inputs_.hashes();
  if (logits_gave_way) now.logits = hashes_.logits;
  inputs_unchanged_ = inputs_unchanged_ && now == hashes_;
}

}  // namespace vparity::harness
