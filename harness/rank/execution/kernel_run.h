// A provider at work on one problem, on one rank: its inputs, its outputs, its two calls.
#pragma once

#include <memory>

#include "harness/case/operands.h"
#include "harness/provider/provider.h"
#include "harness/rank/execution/rank_inputs.h"
#include "harness/rank/execution/rank_outputs.h"
#include "harness/rank/ranks/process_grid.h"

namespace vparity::harness {

/// What a provider is given; the same on every rank. Everything pointed to is borrowed.
struct KernelTask {
  const Operands& operands;
  const Problem& problem;
  const Provider& provider;
  GradientOf grad_of;      ///< which upstream gradients are given; the others are absent
  RowPlacement placement;  ///< of the logits and of their gradient
};

/// Borrows task and grid.
class KernelRun {
 public:
  /// Local: makes the inputs and poisoned outputs.
  KernelRun(const KernelTask& task, const ProcessGrid& grid);

  void forward();   ///< collective over the grid; with a fused provider also the backward
  void backward();  ///< local, after `forward`; nothing is left for it with a fused one

  /// Whether every input still is what it was, but for logits that gave way to their gradient.
  bool inputs_unchanged() const { return inputs_unchanged_; }

  const KernelTask& task() const { return task_; }
  const ProcessGrid& grid() const { return grid_; }
  const VocabularySplit& split() const { return split_; }
  const RankInputs& inputs() const { return inputs_; }
  RankOutputs& outputs() { return *outputs_; }
  const RankOutputs& outputs() const { return *outputs_; }
  std::unique_ptr<RankOutputs> take_outputs() { return std::move(outputs_); }

 private:
  MutableVocabShard gradient();
  void look_at_inputs(bool logits_gave_way);

  KernelTask task_;
  const ProcessGrid& grid_;
  VocabularySplit split_;
  RankInputs inputs_;
  InputHashes hashes_;
  std::unique_ptr<RankOutputs> outputs_;
  std::unique_ptr<KernelSession> session_;
  bool inputs_unchanged_ = true;
};

}  // namespace vparity::harness
