#include "harness/rank/timing/timed_set.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <random>

#include "harness/case/axes.h"
#include "harness/case/inputs/inputs.h"
#include "harness/case/setting.h"
#include "harness/machine/prefetch_distance.h"
#include "harness/provider/problem.h"
#include "harness/provider/rank_device.h"
#include "harness/provider/registry/registry.h"
#include "harness/rank/check/check.h"
#include "harness/rank/ranks/phases.h"
#include "harness/rank/timing/repeated_rows.h"
#include "harness/rank/timing/timed_buffers.h"
#include "harness/rank/timing/timed_case.h"
#include "harness/rank/timing/timing_result.h"

namespace vparity::harness {
namespace {

using reports::CaseOutcome;
using reports::Status;

/// Distinct logits per DP rank; the other rows repeat them.
constexpr std::int64_t distinct_elements = std::int64_t{1} << 22;

constexpr int warmup_rounds = 2;

/// The last of the cases begins, and with it its time, before all are warm.
SamplePlan plan_within(double case_limit_s) {
  SamplePlan plan;
  constexpr double share = 0.25;
  plan.time = std::min(plan.time, std::chrono::duration<double>(share * case_limit_s));
  return plan;
}

class SetRun {
 public:
  SetRun(std::span<const JobCase> cases, const MatrixJob& job, const ProcessGrid& grid,
         const TimingCallbacks& callbacks)
      : cases_(cases),
        grid_(grid),
        callbacks_(callbacks),
        parameters_(cases.front().parameters),
        split_(VocabularySplit::of_layout(parameters_.layout, parameters_.vocab, parameters_.tp)),
        own_(split_.shard(grid.tp().rank())),
        inputs_(parameters_, job.seed),
        sample_plan_(plan_within(job.case_limit_s)),
        phases_(
            "timing of " + cases.front().id, grid.world(),
            [this](std::string_view phase) { callbacks_.on_phase(*current_, phase); },
            agreement_grace) {
    CaseOutcome untimed;
    untimed.phase = "inputs";
    untimed.measured = unmeasured(reports::Measure::throughput);
    outcomes_.assign(cases.size(), untimed);
  }

  std::vector<CaseOutcome> run() {
    begin(cases_.front());
    try {
      phases_.run("inputs", [&] { make_slots(); });
      for (std::size_t i = 0; i < cases_.size(); ++i) warm_up(i);
      if (!timed_.empty()) take_times();
    } catch (const PhaseFailed& failure) {
      fail_all(failure);
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
    for (CaseOutcome& outcome : outcomes_)
      outcome.wall_s = wall.count() / static_cast<double>(outcomes_.size());
    return std::move(outcomes_);
  }

 private:
  void begin(const JobCase& job) {
    current_ = &job;
    callbacks_.on_case(job);
  }

  void make_slots() {
    operands_.emplace(inputs_, parameters_.vocab, distinct_elements, grid_.dp().rank(), own_);
    const Problem problem = problem_of(parameters_);
    const RowPlacement placement{parameters_.row_stride, parameters_.alignment};
    const auto add_slot = [&] {
      RankInputs inputs(*operands_, problem, parameters_.grad_of, placement, grid_.dp().rank(),
                        own_);
      RankOutputs outputs(problem, inputs, placement);
      slots_.push_back({std::move(inputs), std::move(outputs)});
    };
    add_slot();
    const RankShape own{slots_[0].inputs.rows(), own_.width,        parameters_.vocab,
                        parameters_.tp,          parameters_.dtype, parameters_.gradient_dtype()};
    // The same on every rank, so that all say the same and take the same buffers in turn.
    const auto shapes = all_gather_values(grid_.world(), own);
    shape_ = *std::ranges::max_element(shapes, {}, &RankShape::shard_bytes);
    count_ = slots_needed(shape_.shard_bytes() + shape_.gradient_bytes(), grid_.world().size(),
                          processors_.cache_bytes);
    while (slots_.size() < count_.slots) add_slot();
  }

  void warm_up(std::size_t i) {
    const JobCase& job = cases_[i];
    if (i > 0) begin(job);
    const Provider& provider = *find_provider(job.parameters.provider);
    const Problem problem = problem_of(job.parameters);
    if (const auto why = provider.declined(problem)) {
      outcomes_[i].status = Status::skipped;
      outcomes_[i].reason = {"unsupported", *why};
      outcomes_[i].phase = "done";
      return;
    }
    try {
      phases_.run("warmup", [&] {
        auto& session = sessions_[variant_of(job.parameters)];
        if (session == nullptr) session = new_session(provider, problem);
        auto timed = std::make_unique<TimedCase>(job, i, *session, *operands_, grid_);

        for (int round = 0; round < warmup_rounds; ++round)
          timed->warm_up(static_cast<std::size_t>(round) % slots_.size());
        timed_.push_back(std::move(timed));
      });
    } catch (const PhaseFailed& failure) {
      outcomes_[i].status = Status::error;
      outcomes_[i].reason = failure.reason;
      outcomes_[i].phase = failure.phase;
    }
  }

  std::unique_ptr<TimedSession> new_session(const Provider& provider, const Problem& problem) {
    return std::make_unique<TimedSession>(provider, provider.prepare(problem, grid_.groups(), own_),
                                          slots_);
  }

  void take_times() {
    std::vector<Subject> subjects = floors();
    for (const auto& timed : timed_) subjects.push_back(timed->subject());
    std::vector<std::vector<Sample>> samples;
    phases_.run("timing", [&] {
      Rounds rounds(grid_.world(), subjects, slots_.size());
      const auto count = rounds_wanted(pilot(rounds), sample_plan_);
      for (const auto& timed : timed_) timed->choose_iteration(count);
      samples = rounds.run(count);
    });
    phases_.run("timing", [&] {
      for (const auto& timed : timed_) timed->agree(grid_.world());
    });
    conclude(samples);
  }

  /// Enough to judge by how much the times vary, unless that takes too long.
  std::vector<std::vector<Sample>> pilot(Rounds& rounds) {
    auto samples = rounds.run(1);
    double round_s = 0;
    for (const auto& subject : samples) round_s += subject[0].slowest;
    constexpr std::int64_t rounds_if_fast = 6;
    const bool slow = round_s * rounds_if_fast > sample_plan_.time.count() / 2;
    return slow ? samples : rounds.run(rounds_if_fast);
  }

  std::vector<Subject> floors() {
    for (const auto& [variant, session] : sessions_) {
      if (!session->held().empty()) return floors_of(session->held());
    }
    return floors_of_host();
  }

  static std::vector<Subject> floors_of(const std::vector<std::unique_ptr<HeldMemory>>& slots) {
    return {{[&slots](std::size_t i) { slots[i]->read(); }},
            {[&slots](std::size_t i) { slots[i]->copy(); }}};
  }

  std::vector<Subject> floors_of_host() {
    // The slots take turns here too: in a cache, another distance would be best.
    std::size_t next = 0;
    const auto slot = [&]() -> Slot& { return slots_[next++ % slots_.size()]; };
    const auto to_read = best_prefetch_distance([&](std::size_t ahead) { slot().read(ahead); });
    const auto to_copy = best_prefetch_distance([&](std::size_t ahead) { slot().copy(ahead); });
    return {{[this, to_read](std::size_t i) { slots_[i].read(to_read); }},
            {[this, to_copy](std::size_t i) { slots_[i].copy(to_copy); }}};
  }

  void conclude(const std::vector<std::vector<Sample>>& samples) {
    const std::size_t floors = samples.size() - timed_.size();
    const TimingContext context{
        .rate = memory_rate(slots_[0], samples[0], samples[1], grid_.world(), clocks_apart()),
        .shape = shape_,
        .tokens = parameters_.tokens,
        .warmup = warmup_rounds,
        .oversubscribed = grid_.world().size() > processors_.count,
        .cache_resident = count_.cache_resident};
    std::vector<MeasuredCase> measured;
    for (std::size_t i = 0; i < timed_.size(); ++i)
      measured.push_back({timed_[i].get(), &samples[floors + i]});
    for (const MeasuredCase& one : measured) {
      CaseOutcome& outcome = outcomes_[one.timed->index()];
      outcome.measured = timing_of(one, measured, context);
      one.timed->judge(outcome);
    }
  }

  /// Ranks whose clocks see all that they wait for. One that waits for a core does not; one that
  /// waits for its part of a device does.
  int clocks_apart() const {
    return parameters_.backend == Backend::cpu ? processors_.count : grid_.world().size();
  }

  void fail_all(const PhaseFailed& failure) {
    for (CaseOutcome& outcome : outcomes_) {
      if (outcome.status != Status::not_run) continue;
      outcome.status = Status::error;
      outcome.reason = failure.reason;
      outcome.phase = failure.phase;
    }
  }

  std::span<const JobCase> cases_;
  const ProcessGrid& grid_;
  const TimingCallbacks& callbacks_;
  const CaseParameters& parameters_;  ///< of the setting
  VocabularySplit split_;
  ShardColumns own_;
  CaseInputs inputs_;
  SamplePlan sample_plan_;
  Processors processors_ = processors_of(parameters_.backend);
  std::optional<RepeatedRows> operands_;
  RankShape shape_;  ///< of the rank with most to do
  SlotCount count_;
  std::vector<Slot> slots_;
  std::map<std::string, std::unique_ptr<TimedSession>> sessions_;  ///< by variant
  std::vector<std::unique_ptr<TimedCase>> timed_;                  ///< those that were warmed up
  std::vector<CaseOutcome> outcomes_;
  const JobCase* current_ = nullptr;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  Phases phases_;
};

}  // namespace

std::vector<CaseOutcome> time_set(std::span<const JobCase> cases, const MatrixJob& job,
                                  const ProcessGrid& grid, const TimingCallbacks& callbacks) {
  return SetRun(cases, job, grid, callbacks).run();
}

}  // namespace vparity::harness
