#include "harness/commands/crashing_providers/broken_provider.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "harness/provider/vparity_provider.h"

namespace vparity::harness {
namespace {

// Until the other ranks wait in the collective, so that there is one rank that they wait for.
constexpr std::chrono::milliseconds head_start{500};

class BrokenSession final : public KernelSession {
 public:
  BrokenSession(std::unique_ptr<KernelSession> right, const Fault& fault, Communicator& tp,
                bool breaks)
      : right_(std::move(right)), fault_(fault), tp_(tp), breaks_(breaks) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    if (breaks_ && fault_.before != nullptr) {
      std::this_thread::sleep_for(head_start);
      fault_.before(tp_);
    }
    const GlobalResults results = right_->forward(logits, ids, out);
    if (breaks_ && fault_.after != nullptr) {
      std::this_thread::sleep_for(head_start);
      fault_.after(out);
    }
    return results;
  }

  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
    right_->backward(logits, ids, upstream, gradient);
  }

 private:
  std::unique_ptr<KernelSession> right_;
  const Fault& fault_;
  Communicator& tp_;
  bool breaks_;
};

}  // namespace

BrokenProvider::BrokenProvider(const Fault& fault, int rank)
    : fault_(fault), rank_(rank), name_(fmt::format("broken-{}-on-{}", fault.name, rank)) {}

std::unique_ptr<KernelSession> BrokenProvider::prepare(const Problem& problem, ProcessGroups groups,
                                                       const ShardColumns& own) const {
  const int rank = groups.dp.rank() * groups.tp.size() + groups.tp.rank();
  return std::make_unique<BrokenSession>(VparityProvider().prepare(problem, groups, own), fault_,
                                         groups.tp, rank == rank_);
}

}  // namespace vparity::harness
