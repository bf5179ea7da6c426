#include "harness/provider/vparity_provider.h"

#include "harness/provider/rank_device.h"

namespace vparity::harness {
namespace {

class Session : public KernelSession {
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

  GlobalResults forward_backward(const VocabShard& logits, const TokenIds& ids,
                                 const UpstreamGradients& upstream, const StatisticsViews& out,
                                 const MutableVocabShard& gradient) override {
    return statistics_.forward_backward(logits, ids, upstream, out, gradient);
  }

 private:
  PolicyStatistics statistics_;
  SavedStatistics saved_;
};

class FusedSession final : public Session {
 public:
  using Session::Session;
  bool fused() const override { return true; }
};

PolicyStatistics bind(const Problem& problem, ProcessGroups groups, const ShardColumns& own) {
  return {groups, own, problem.vocab, problem.options};
}

}  // namespace

std::optional<std::string> VparityProvider::unsupported(const Problem& problem) const {
  if (problem.options.mode != Mode::reproducible || problem.options.label_smoothing == 0)
    return std::nullopt;
  return "label smoothing is not offered in mode reproducible";
}

CallTraffic VparityProvider::traffic(const Problem& problem, const RankShape& shape) const {
  CallTraffic calls = fewest_traffic(shape);
  if (problem.options.mode != Mode::gather || shape.tp == 1) return calls;
  calls.forward = {2 * shape.full_bytes(), shape.full_bytes()};
  calls.forward_backward = calls.forward + calls.backward;
  return calls;
}

CallTraffic VparityFusedProvider::traffic(const Problem& problem, const RankShape& shape) const {
  CallTraffic calls = VparityProvider().traffic(problem, shape);
  calls.forward_backward = calls.forward + Traffic{0, shape.gradient_bytes()};
  return calls;
}

std::unique_ptr<KernelSession> VparityProvider::prepare(const Problem& problem,
                                                        ProcessGroups groups,
                                                        const ShardColumns& own) const {
  if (problem.backend != Backend::cpu) return make_device_session(problem, groups, own);
  return std::make_unique<Session>(bind(problem, groups, own));
}

std::unique_ptr<KernelSession> VparityFusedProvider::prepare(const Problem& problem,
                                                             ProcessGroups groups,
                                                             const ShardColumns& own) const {
  return std::make_unique<FusedSession>(bind(problem, groups, own));
}

}  // namespace vparity::harness
