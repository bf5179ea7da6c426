#include "harness/provider/device_session.h"

#include <utility>

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

class HeldCall final : public HeldMemory {
 public:
  /// Both are borrowed.
  HeldCall(Device& device, DeviceMemoryPasses& passes, const CallMemory& host)
      : device_(device),
        passes_(passes),
        logits_(device),
        ids_(device),
        apart_(device),
        upstream_(device),
        out_(device),
        gradient_(in_place(host.logits, host.gradient) ? logits_ : apart_),
        views_{{logits_.copy_in(host.logits.rows(), host.logits.columns().width),
                host.logits.columns()},
               ids_.copy_in(host.ids),
               upstream_.copy_in(host.upstream),
               out_.copy_in(host.out),
               {gradient_.copy_in(host.gradient.rows(), host.gradient.columns().width),
                host.gradient.columns()}} {
    device_.wait();
  }

  const CallMemory& views() const override { return views_; }

  void fetch(const CallMemory& host) override {
    out_.copy_out(host.out);
    gradient_.copy_out(host.gradient.rows(), host.gradient.columns().width);
    device_.wait();
  }

  void read() override {
    passes_.read(views_.logits);
    device_.wait();
  }

  void copy() override {
    passes_.copy(views_.logits, views_.gradient);
    device_.wait();
  }

 private:
  Device& device_;
  DeviceMemoryPasses& passes_;
  StagedMemory logits_, ids_, apart_;
  StagedUpstream upstream_;
  StagedStatistics out_;
  StagedMemory& gradient_;
  CallMemory views_;
};

/// The device's kernels for arguments in its memory.
class KernelsOnDevice final : public KernelSession {
 public:
  KernelsOnDevice(const Problem& problem, ProcessGroups groups, const ShardColumns& own,
                  Device& device, DeviceCommunicator& tp)
      : device_(device),
        statistics_(groups, tp, device, own, problem.vocab, problem.options),
        saved_(device) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    return statistics_.forward(logits, ids, out, &saved_);
  }

  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
    statistics_.backward(logits, ids, saved_, upstream, gradient);
    device_.wait();
  }

 private:
  Device& device_;
  DevicePolicyStatistics statistics_;
  DeviceSavedStatistics saved_;
};

/// The same for arguments in the host's memory: each call copies them there and the results back.
class DeviceSession final : public KernelSession, public WorkMemory {
 public:
  DeviceSession(const Problem& problem, ProcessGroups groups, const ShardColumns& own,
                std::unique_ptr<Device> device, std::unique_ptr<DeviceCommunicator> tp)
      : device_(std::move(device)),
        tp_(std::move(tp)),
        kernels_(problem, groups, own, *device_, *tp_) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    StagedStatistics staged_out(*device_);
    const StatisticsViews on_device = staged_out.copy_in(out);
    const GlobalResults results = kernels_.forward(staged(logits), ids_.copy_in(ids), on_device);
    staged_out.copy_out(out);
    device_->wait();
    return results;
  }

  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
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
    kernels_.backward(source, ids_.copy_in(ids), staged_upstream.copy_in(upstream), target);
    memory.copy_out(to, width);
    device_->wait();
  }

  WorkMemory* work_memory() override { return this; }

  std::unique_ptr<HeldMemory> hold(const CallMemory& host) override {
    return std::make_unique<HeldCall>(*device_, passes_, host);
  }

  KernelSession& kernels() override { return kernels_; }

 private:
  VocabShard staged(const VocabShard& logits) {
    return {logits_.copy_in(logits.rows(), logits.columns().width), logits.columns()};
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceCommunicator> tp_;
  KernelsOnDevice kernels_;
  DeviceMemoryPasses passes_{*device_};
  StagedMemory logits_{*device_}, ids_{*device_};
};

}  // namespace

std::unique_ptr<KernelSession> session_on_device(const Problem& problem, ProcessGroups groups,
                                                 const ShardColumns& own,
                                                 std::unique_ptr<Device> device,
                                                 std::unique_ptr<DeviceCommunicator> tp) {
  return std::make_unique<DeviceSession>(problem, groups, own, std::move(device), std::move(tp));
}

}  // namespace vparity::harness
