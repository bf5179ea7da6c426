// The right kernels with something done to their results: for tests of what a check sees.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/provider/provider.h"
#include "harness/provider/registry/registry.h"

namespace vparity::harness {

/// One call on one rank.
struct KernelCall {
  const Problem& problem;
  const ProcessGroups& groups;
  const VocabShard& logits;
  const TokenIds& ids;
};

/// What is wrong with the kernels, and where.
struct PlantedBug {
  std::optional<int> rank = 0;  ///< of the world; nothing: on all
  std::function<void(const KernelCall&)> before_forward = [](const auto&) {};
  std::function<void(const KernelCall&, const StatisticsViews&, GlobalResults&)> after_forward =
      [](const auto&, const auto&, auto&) {};
  std::function<void(const KernelCall&)> before_backward = [](const auto&) {};
  std::function<void(const KernelCall&, const MutableVocabShard&)> after_backward =
      [](const auto&, const auto&) {};
  std::optional<std::string> unsupported = {};
};

class SessionWithBug final : public KernelSession {
 public:
  SessionWithBug(const Problem& problem, ProcessGroups groups, const ShardColumns& own,
                 const PlantedBug& bug)
      : problem_(problem),
        groups_(groups),
        right_(find_provider("vparity")->prepare(problem, groups, own)),
        bug_(bug) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override {
    const KernelCall call{problem_, groups_, logits, ids};
    bug_.before_forward(call);
    GlobalResults global = right_->forward(logits, ids, out);
    bug_.after_forward(call, out, global);
    return global;
  }
  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override {
    bug_.before_backward({problem_, groups_, logits, ids});
    right_->backward(logits, ids, upstream, gradient);
    bug_.after_backward({problem_, groups_, logits, ids}, gradient);
  }

 private:
  Problem problem_;
  ProcessGroups groups_;
  std::unique_ptr<KernelSession> right_;
  const PlantedBug& bug_;
};

class ProviderWithBug final : public Provider {
 public:
  explicit ProviderWithBug(PlantedBug bug) : bug_(std::move(bug)) {}
  std::string_view name() const override { return "with-a-bug"; }
  std::optional<std::string> unsupported(const Problem&) const override { return bug_.unsupported; }
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override {
    const int world_rank = groups.dp.rank() * groups.tp.size() + groups.tp.rank();
    if (bug_.rank.value_or(world_rank) != world_rank)
      return find_provider("vparity")->prepare(problem, groups, own);
    return std::make_unique<SessionWithBug>(problem, groups, own, bug_);
  }

 private:
  PlantedBug bug_;
};

}  // namespace vparity::harness
