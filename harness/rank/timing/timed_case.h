// One case among those that are timed together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/case/operands.h"
#include "harness/case/protocol/protocol.h"
#include "harness/provider/provider.h"
#include "harness/rank/element_comparison/comparison.h"
#include "harness/rank/ranks/process_grid.h"
#include "harness/rank/timing/rounds.h"
#include "harness/rank/timing/timed_buffers.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// Of the call that is timed.
Traffic traffic_of(Operation op, const CallTraffic& calls);

/// A provider at work, shared by the cases that time its calls.
class TimedSession {
 public:
  /// `slots` are borrowed; where the provider has a memory of its own, copies of them are held
  /// there.
  TimedSession(const Provider& provider, std::unique_ptr<KernelSession> kernels,
               std::vector<Slot>& slots);

  const Provider& provider() const { return provider_; }
  /// For arguments as `memory` gives them.
  KernelSession& calls();
  CallMemory memory(std::size_t slot);
  /// Brings the results of the calls on a slot into the slot.
  void fetch(std::size_t slot);
  Slot& slot(std::size_t slot) { return slots_[slot]; }

  /// The slots where the provider holds them; empty if it works on the host's memory.
  const std::vector<std::unique_ptr<HeldMemory>>& held() const { return held_; }

  std::int64_t kept_bytes = 0;  ///< what it holds between its calls

 private:
  const Provider& provider_;
  std::unique_ptr<KernelSession> kernels_;
  std::vector<Slot>& slots_;
  std::vector<std::unique_ptr<HeldMemory>> held_;
};

class TimedCase {
 public:
  /// The case with number `index`; everything else is borrowed.
  TimedCase(const JobCase& job, std::size_t index, TimedSession& session, const Operands& operands,
            const ProcessGrid& grid);

  /// Collective, as all that calls the kernels. Counts collectives and memory.
  void warm_up(std::size_t slot);

  /// Which iteration of `count` is compared with the reference.
  void choose_iteration(std::int64_t count);

  /// The call that is timed.
  Subject subject();

  /// Collective: what the ranks found becomes what all know.
  void agree(Communicator& world);

  std::size_t index() const { return index_; }
  const JobCase& job() const { return job_; }
  std::int64_t collectives() const { return collectives_; }
  std::int64_t bytes_sent() const { return bytes_sent_; }
  std::int64_t extra_memory() const { return extra_memory_; }
  Traffic traffic(const RankShape& shape) const;

  /// Status and compared outputs; after `agree`.
  void judge(reports::CaseOutcome& outcome) const;

 private:
  void call(std::size_t slot);
  void forward(std::size_t slot);
  void backward(std::size_t slot);
  void forward_backward(std::size_t slot);
  void compare(const Slot& slot);

  const JobCase& job_;
  std::size_t index_;
  TimedSession& session_;
  const Operands& operands_;
  const ProcessGrid& grid_;
  Problem problem_;
  std::int64_t valid_tokens_ = 0;  ///< of the job
  std::int64_t collectives_ = 0, bytes_sent_ = 0, extra_memory_ = 0;
  std::int64_t checked_iteration_ = -1;
  Comparisons comparisons_;
};

}  // namespace vparity::harness
