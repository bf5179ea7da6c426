#include "harness/rank/timing/timed_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

#include "harness/provider/problem.h"
#include "harness/rank/timing/allocation_meter.h"
#include "harness/rank/timing/row_check.h"

namespace vparity::harness {
namespace {

/// Compared per rank and case: a reference element takes some tens of nanoseconds.
constexpr std::int64_t checked_elements = std::int64_t{1} << 20;
constexpr std::int64_t most_checked_rows = 16;

/// Of the groups that this rank is not alone in.
CommunicationCounters counters_of(const ProcessGrid& grid) {
  CommunicationCounters sum;
  for (const Communicator* group : {&grid.tp(), &grid.dp()}) {
    if (group->size() == 1) continue;
    sum.collectives += group->counters().collectives;
    sum.bytes_sent += group->counters().bytes_sent;
  }
  return sum;
}

/// The random choices of a case: the same on all ranks.
std::mt19937_64 random_of(const std::string& id) {
  std::uint64_t seed = 0;
  std::from_chars(id.data(), id.data() + id.size(), seed, 16);
  return std::mt19937_64(seed);
}

}  // namespace

TimedSession::TimedSession(const Provider& provider, std::unique_ptr<KernelSession> kernels,
                           std::vector<Slot>& slots)
    : provider_(provider), kernels_(std::move(kernels)), slots_(slots) {
  WorkMemory* const memory = kernels_->work_memory();
  if (memory == nullptr) return;
  for (Slot& slot : slots_) held_.push_back(memory->hold(slot.call_memory()));
}

KernelSession& TimedSession::calls() {
  return held_.empty() ? *kernels_ : kernels_->work_memory()->kernels();
}

CallMemory TimedSession::memory(std::size_t slot) {
  return held_.empty() ? slots_[slot].call_memory() : held_[slot]->views();
}

void TimedSession::fetch(std::size_t slot) {
  if (!held_.empty()) held_[slot]->fetch(slots_[slot].call_memory());
}

TimedCase::TimedCase(const JobCase& job, std::size_t index, TimedSession& session,
                     const Operands& operands, const ProcessGrid& grid)
    : job_(job),
      index_(index),
      session_(session),
      operands_(operands),
      grid_(grid),
      problem_(problem_of(job.parameters)),
      valid_tokens_(operands.valid_tokens(problem_.options.ignore_index)),
      comparisons_(problem_.gradient_dtype) {}

void TimedCase::warm_up(std::size_t slot) {
  const AllocationMeter meter;
  if (job_.parameters.op == Operation::backward) forward(slot);
  const CommunicationCounters before = counters_of(grid_);
  call(slot);
  const CommunicationCounters after = counters_of(grid_);
  collectives_ = after.collectives - before.collectives;
  bytes_sent_ = after.bytes_sent - before.bytes_sent;
  extra_memory_ = std::max(extra_memory_, session_.kept_bytes + meter.peak_bytes());
  session_.kept_bytes += meter.held_bytes();
}

void TimedCase::choose_iteration(std::int64_t count) {
  std::mt19937_64 random = random_of(job_.id);
  checked_iteration_ = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
}

Subject TimedCase::subject() {
  return {.run = [this](std::size_t slot) { call(slot); },
          .after =
              [this](std::int64_t iteration, std::size_t slot) {
                if (iteration != checked_iteration_) return;
                session_.fetch(slot);
                compare(session_.slot(slot));
              }};
}

void TimedCase::call(std::size_t slot) {
  switch (job_.parameters.op) {
    case Operation::forward:
      return forward(slot);
    case Operation::backward:
      return backward(slot);
    case Operation::forward_backward:
      if (session_.calls().fused()) return forward_backward(slot);
      forward(slot);
      backward(slot);
  }
}

void TimedCase::forward(std::size_t slot) {
  const CallMemory memory = session_.memory(slot);
  session_.slot(slot).outputs.global =
      session_.calls().forward(memory.logits, memory.ids, memory.out);
}

void TimedCase::forward_backward(std::size_t slot) {
  const CallMemory memory = session_.memory(slot);
  session_.slot(slot).outputs.global = session_.calls().forward_backward(
      memory.logits, memory.ids, memory.upstream, memory.out, memory.gradient);
}

void TimedCase::backward(std::size_t slot) {
  const CallMemory memory = session_.memory(slot);
  session_.calls().backward(memory.logits, memory.ids, memory.upstream, memory.gradient);
}

void TimedCase::compare(const Slot& slot) {
  const Operation op = job_.parameters.op;
  const RowCheck check{operands_, problem_, valid_tokens_, slot.inputs.first_row(),
                       grid_.world().rank()};
  const ComputedParts parts{op != Operation::backward, op != Operation::forward};
  const std::int64_t rows = slot.inputs.rows();
  const std::int64_t count = std::min(
      rows, std::clamp(checked_elements / problem_.vocab, std::int64_t{1}, most_checked_rows));
  std::mt19937_64 random = random_of(job_.id);
  for (std::int64_t i = 0; i < count; ++i) {
    // One of each of `count` parts of the rows.
    const std::int64_t first = i * rows / count, end = (i + 1) * rows / count;
    const auto offset =
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end - first));
    compare_timed_row(check, parts, first + offset, slot.outputs, comparisons_);
  }
}

void TimedCase::agree(Communicator& world) {
  struct Found {
    Comparisons comparisons{DType::fp32};
    std::int64_t collectives = 0, bytes_sent = 0, extra_memory = 0;
  };
  const auto all =
      all_gather_values(world, Found{comparisons_, collectives_, bytes_sent_, extra_memory_});
  comparisons_ = all[0].comparisons;
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    comparisons_.combine(all[rank].comparisons);
    collectives_ = std::max(collectives_, all[rank].collectives);
    bytes_sent_ = std::max(bytes_sent_, all[rank].bytes_sent);
    extra_memory_ = std::max(extra_memory_, all[rank].extra_memory);
  }
}

Traffic traffic_of(Operation op, const CallTraffic& calls) {
  switch (op) {
    case Operation::forward:
      return calls.forward;
    case Operation::backward:
      return calls.backward;
    case Operation::forward_backward:
      break;
  }
  return calls.forward_backward;
}

Traffic TimedCase::traffic(const RankShape& shape) const {
  return traffic_of(job_.parameters.op, session_.provider().traffic(problem_, shape));
}

void TimedCase::judge(reports::CaseOutcome& outcome) const {
  outcome.status = reports::Status::passed;
  outcome.phase = "done";
  std::string wrong;
  for (std::size_t i = 0; i < output_names.size(); ++i) {
    const OutputComparison& comparison = comparisons_.all()[i];
    if (comparison.elements() == 0) continue;
    outcome.outputs.push_back(comparison.result(std::string(output_names[i]), problem_.vocab));
    if (comparison.passed()) continue;
    wrong += fmt::format("{}{}: error ratio {:.3g}", wrong.empty() ? "" : "; ", output_names[i],
                         comparison.error_ratio());
  }
  if (wrong.empty()) return;
  outcome.status = reports::Status::failed;
  outcome.reason = {"outside_bound",
                    "iteration " + std::to_string(checked_iteration_) + ": " + wrong};
}

}  // namespace vparity::harness
