#include "harness/provider/device_session.h"

#include <variant>

#include "harness/provider/staged_memory.h"
#include "vparity/device_policy_statistics.h"

namespace vparity::harness {
namespace {

class DeviceSession final : public KernelSession {
 public:
  DeviceSession(const Problem& problem, ProcessGroups groups, const ShardColumns& own,
                std::unique_ptr<Device> device, std::unique_ptr<DeviceCommunicator> tp)
      : device_(std::move(device)),
        tp_(std::move(tp)),
        statistics_(groups, *tp_, *device_, own, problem.vocab, problem.options),
        saved_(*device_) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    StagedMemory logprob(*device_), entropy(*device_), lse(*device_), loss(*device_);
    const StatisticsViews on_device{logprob.copy_in(out.logprob), entropy.copy_in(out.entropy),
                                    lse.copy_in(out.lse), loss.copy_in(out.loss)};
    const GlobalResults results =
        statistics_.forward(staged(logits), staged(ids), on_device, &saved_);
    logprob.copy_out(out.logprob);
    entropy.copy_out(out.entropy);
    lse.copy_out(out.lse);
    loss.copy_out(out.loss);
    device_->wait();
    return results;
  }

  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
    StagedMemory logprob(*device_), entropy(*device_), loss(*device_), apart(*device_);
    const UpstreamGradients on_device{logprob.copy_in(upstream.logprob),
                                      entropy.copy_in(upstream.entropy),
                                      loss.copy_in(upstream.loss)};
    const std::int64_t width = gradient.columns().width;
    const MutableRows& to = gradient.rows();
    const bool in_place = to.data == logits.rows().data;
    // In place the same memory of the device holds both.
    StagedMemory& memory = in_place ? logits_ : apart;
    const MutableVocabShard target{memory.copy_in(to, width), gradient.columns()};
    const VocabShard source =
        in_place ? VocabShard{read_only(target.rows()), logits.columns()} : staged(logits);
    statistics_.backward(source, staged(ids), saved_, on_device, target);
    memory.copy_out(to, width);
    device_->wait();
  }

 private:
  static Rows read_only(const MutableRows& rows) {
    return {rows.data, rows.dtype, rows.rows, rows.row_stride};
  }

  VocabShard staged(const VocabShard& logits) {
    return {logits_.copy_in(logits.rows(), logits.columns().width), logits.columns()};
  }

  TokenIds staged(const TokenIds& ids) {
    return std::visit([&](const auto& view) -> TokenIds { return ids_.copy_in(view); }, ids.view());
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceCommunicator> tp_;
  DevicePolicyStatistics statistics_;
  DeviceSavedStatistics saved_;
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
