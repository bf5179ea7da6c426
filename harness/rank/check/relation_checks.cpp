#include "harness/rank/check/relation_checks.h"

#include <algorithm>

#include "harness/rank/check/run_comparison.h"
#include "harness/rank/relations/chosen_rows.h"
#include "harness/rank/relations/relation.h"

namespace vparity::harness {
namespace {

constexpr std::string_view phase = "relations";

/// At least two: a row alone and a row in its batch differ, and so do two chunks.
std::int64_t most_rows_per_dp_rank(const KernelTask& task) {
  constexpr std::int64_t most_logits = std::int64_t{1} << 17;
  const std::int64_t logits_of_a_row_each =
      task.problem.vocab * std::ssize(task.operands.dp_rows());
  return std::max<std::int64_t>(most_logits / logits_of_a_row_each, 2);
}

/// The same provider, asked the same way.
KernelTask with(const KernelTask& task, const Operands& operands, const Problem& problem) {
  return {operands, problem, task.provider, task.grad_of, task.placement};
}

std::unique_ptr<KernelRun> finished_run(Phases& phases, const KernelTask& task,
                                        const ProcessGrid& grid) {
  std::unique_ptr<KernelRun> run;
  phases.run(phase, [&] { run = std::make_unique<KernelRun>(task, grid); });
  phases.run(phase, [&] {
    run->forward();
    run->backward();
  });
  return run;
}

std::optional<PlacedInvariant> check_relation(Phases& phases, const Relation& relation,
                                              WholeRun& subject) {
  const KernelTask& task = subject.run().task();
  const auto declines = [&](const Side& side) {
    return task.provider.declined(side.problem).has_value();
  };
  if (declines(relation.first) || declines(relation.second)) return std::nullopt;

  const auto run = [&](const Side& side, const ProcessGrid& grid) {
    return finished_run(phases, with(task, *side.operands, side.problem), grid);
  };
  const ProcessGrid& subject_grid = subject.run().grid();
  std::unique_ptr<ProcessGrid> other_grid;
  if (relation.second.tp != relation.first.tp) {
    phases.run(phase, [&] {
      other_grid = std::make_unique<ProcessGrid>(subject_grid.world(), relation.second.tp);
    });
  }
  const auto first = relation.first_is_subject ? nullptr : run(relation.first, subject_grid);
  const auto second = run(relation.second, other_grid ? *other_grid : subject_grid);
  Deviation worst;
  phases.run(phase, [&] {
    WholeRun of_second(*second);
    if (!first) {
      worst = compare_runs(relation, subject, of_second);
    } else {
      WholeRun of_first(*first);
      worst = compare_runs(relation, of_first, of_second);
    }
  });
  return invariant_of(relation.name, worst);
}

std::vector<PlacedInvariant> check_all(Phases& phases, const KernelRun& run) {
  const ProcessGrid& grid = run.grid();
  std::optional<WholeRun> subject;
  phases.run(phase, [&] { subject.emplace(run); });
  std::vector<PlacedInvariant> all;
  for (const Relation& relation : relations_of({.operands = run.task().operands,
                                  .problem = run.task().problem,
                                  .tp = grid.tp().size(),
                                  .world = grid.world().size()})) {
    if (auto held = check_relation(phases, relation, *subject)) all.push_back(std::move(*held));
  }
  return all;
}

}  // namespace

std::vector<PlacedInvariant> check_relations(Phases& phases, const KernelRun& run) {
  const KernelTask& task = run.task();
  const ChosenRows few = first_rows(task.operands, most_rows_per_dp_rank(task));
  if (few.dp_rows() == task.operands.dp_rows()) return check_all(phases, run);
  return check_all(phases, *finished_run(phases, with(task, few, task.problem), run.grid()));
}

}  // namespace vparity::harness
