#include "harness/commands/crashing_providers/crashing_provider.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "harness/provider/vparity_provider.h"

namespace vparity::harness {
namespace {

// Until the other ranks wait in the collective, so that there is one rank that they wait for.
constexpr std::chrono::milliseconds head_start{500};

class CrashingSession final : public KernelSession {
 public:
  CrashingSession(std::unique_ptr<KernelSession> right, const Misbehaviour& misbehaviour,
                  Communicator& tp, bool misbehaves)
      : right_(std::move(right)), misbehaviour_(misbehaviour), tp_(tp), misbehaves_(misbehaves) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    if (misbehaves_ && misbehaviour_.before != nullptr) {
      std::this_thread::sleep_for(head_start);
      misbehaviour_.before(tp_);
    }
    const GlobalResults results = right_->forward(logits, ids, out);
    if (misbehaves_ && misbehaviour_.after != nullptr) {
      std::this_thread::sleep_for(head_start);
      misbehaviour_.after(out);
    }
    return results;
  }

  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
    right_->backward(logits, ids, upstream, gradient);
  }

 private:
  std::unique_ptr<KernelSession> right_;
  const Misbehaviour& misbehaviour_;
  Communicator& tp_;
  bool misbehaves_;
};

}  // namespace

CrashingProvider::CrashingProvider(const Misbehaviour& misbehaviour, int rank)
    : misbehaviour_(misbehaviour),
      rank_(rank),
      name_(fmt::format("crashing-{}-on-{}", misbehaviour.name, rank)) {}

std::unique_ptr<KernelSession> CrashingProvider::prepare(const Problem& problem,
                                                         ProcessGroups groups,
                                                         const ShardColumns& own) const {
  const int rank = groups.dp.rank() * groups.tp.size() + groups.tp.rank();
  return std::make_unique<CrashingSession>(VparityProvider().prepare(problem, groups, own),
                                           misbehaviour_, groups.tp, rank == rank_);
}

}  // namespace vparity::harness
