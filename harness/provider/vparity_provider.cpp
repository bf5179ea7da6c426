#include "harness/provider/vparity_provider.h"

namespace vparity::harness {
namespace {

class Session final : public KernelSession {
 public:
  explicit Session(PolicyStatistics statistics) : statistics_(std::move(statistics)) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    return statistics_.forward(logits, ids, out, &saved_);
  }

  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
    statistics_.backward(logits, ids, saved_, upstream, gradient);
  }

 private:
  PolicyStatistics statistics_;
  SavedStatistics saved_;
};

}  // namespace

std::optional<std::string> VparityProvider::unsupported(const Problem& problem) const {
  if (problem.options.mode != Mode::reproducible) return std::nullopt;
  return "mode reproducible is not offered by this kernel set yet";
}

std::unique_ptr<KernelSession> VparityProvider::prepare(const Problem& problem,
                                                        ProcessGroups groups,
                                                        const ShardColumns& own) const {
  return std::make_unique<Session>(PolicyStatistics(groups, own, problem.vocab, problem.options));
}

}  // namespace vparity::harness
