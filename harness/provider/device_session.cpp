#include "harness/provider/device_session.h"

#include <map>

#include "vparity/device_memory_passes.h"
#include "vparity/device_policy_statistics.h"
#include "vparity/staged_memory.h"

namespace vparity::harness {
namespace {

Rows read_only(const MutableRows& rows) {
  return {rows.data, rows.dtype, rows.rows, rows.row_stride};
}

bool in_place(const VocabShard& logits, const MutableVocabShard& gradient) {
  return gradient.rows().data == logits.rows().data;
}

/// The memory of a forward and a backward call on a device.
class HeldCall {
 public:
  HeldCall(Device& device, const CallMemory& host)
      : memory_(std::make_unique<Memory>(device)),
        gradient_(in_place(host.logits, host.gradient) ? memory_->logits : memory_->gradient),
        on_device_{{memory_->logits.copy_in(host.logits.rows(), host.logits.columns().width),
                    host.logits.columns()},
                   memory_->ids.copy_in(host.ids),
                   memory_->upstream.copy_in(host.upstream),
                   memory_->out.copy_in(host.out),
                   {gradient_.copy_in(host.gradient.rows(), host.gradient.columns().width),
                    host.gradient.columns()}} {}

  const CallMemory& on_device() const { return on_device_; }

  void fetch(const CallMemory& host) {
    memory_->out.copy_out(host.out);
    gradient_.copy_out(host.gradient.rows(), host.gradient.columns().width);
  }

 private:
  struct Memory {
    explicit Memory(Device& device)
        : logits(device), ids(device), gradient(device), upstream(device), out(device) {}
    StagedMemory logits, ids, gradient;
    StagedUpstream upstream;
    StagedStatistics out;
  };

  std::unique_ptr<Memory> memory_;
  StagedMemory& gradient_;
  CallMemory on_device_;
};

class DeviceSession final : public KernelSession, public WorkMemory {
 public:
  DeviceSession(const Problem& problem, ProcessGroups groups, const ShardColumns& own,
                std::unique_ptr<Device> device, std::unique_ptr<DeviceCommunicator> tp)
      : device_(std::move(device)),
        tp_(std::move(tp)),
        statistics_(groups, *tp_, *device_, own, problem.vocab, problem.options),
        saved_(*device_) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    if (const HeldCall* held = find(logits)) {
      const CallMemory& there = held->on_device();
      return statistics_.forward(there.logits, there.ids, there.out, &saved_);
    }
    StagedStatistics staged_out(*device_);
    const StatisticsViews on_device = staged_out.copy_in(out);
    const GlobalResults results =
        statistics_.forward(staged(logits), ids_.copy_in(ids), on_device, &saved_);
    staged_out.copy_out(out);
    device_->wait();
    return results;
  }

  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
    if (const HeldCall* held = find(logits)) {
      const CallMemory& there = held->on_device();
      statistics_.backward(there.logits, there.ids, saved_, there.upstream, there.gradient);
      return device_->wait();
    }
    StagedUpstream staged_upstream(*device_);
    StagedMemory apart(*device_);
    const std::int64_t width = gradient.columns().width;
    const MutableRows& to = gradient.rows();
    // In place the same memory of the device holds both.
    const bool shared = in_place(logits, gradient);
    StagedMemory& memory = shared ? logits_ : apart;
    const MutableVocabShard target{memory.copy_in(to, width), gradient.columns()};
    const VocabShard source =
        shared ? VocabShard{read_only(target.rows()), logits.columns()} : staged(logits);
    statistics_.backward(source, ids_.copy_in(ids), saved_, staged_upstream.copy_in(upstream),
                         target);
    memory.copy_out(to, width);
    device_->wait();
  }

  WorkMemory* work_memory() override { return this; }

  void hold(const CallMemory& host) override {
    held_.emplace(host.logits.rows().data, HeldCall(*device_, host));
    device_->wait();
  }

  void fetch(const CallMemory& host) override {
    held_.at(host.logits.rows().data).fetch(host);
    device_->wait();
  }

  void read(const CallMemory& host) override {
    const CallMemory& there = held_.at(host.logits.rows().data).on_device();
    passes_.read(there.logits);
    device_->wait();
  }

  void copy(const CallMemory& host) override {
    const CallMemory& there = held_.at(host.logits.rows().data).on_device();
    passes_.copy(there.logits, there.gradient);
    device_->wait();
  }

 private:
  const HeldCall* find(const VocabShard& logits) const {
    const auto found = held_.find(logits.rows().data);
    return found == held_.end() ? nullptr : &found->second;
  }

  VocabShard staged(const VocabShard& logits) {
    return {logits_.copy_in(logits.rows(), logits.columns().width), logits.columns()};
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceCommunicator> tp_;
  DevicePolicyStatistics statistics_;
  DeviceMemoryPasses passes_{*device_};
  DeviceSavedStatistics saved_;
  StagedMemory logits_{*device_}, ids_{*device_};
  std::map<const std::byte*, HeldCall> held_;  ///< by the host's logits
};

}  // namespace

std::unique_ptr<KernelSession> session_on_device(const Problem& problem, ProcessGroups groups,
                                                 const ShardColumns& own,
                                                 std::unique_ptr<Device> device,
                                                 std::unique_ptr<DeviceCommunicator> tp) {
  return std::make_unique<DeviceSession>(problem, groups, own, std::move(device), std::move(tp));
}

}  // namespace vparity::harness
