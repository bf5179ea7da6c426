// A baseline as a provider.
#pragma once

#include <concepts>

#include "harness/provider/baselines/framework_kernels.h"

namespace vparity::harness::baselines {

/// Options that the frameworks' kernels do not have, and that no measurement needs.
std::optional<std::string> unsupported_by_baselines(const Problem& problem);

template <std::derived_from<FrameworkKernels> Kernels>
class BaselineProvider final : public Provider {
 public:
  constexpr explicit BaselineProvider(std::string_view name) : name_(name) {}

  std::string_view name() const override { return name_; }

  std::optional<std::string> unsupported(const Problem& problem) const override {
    return unsupported_by_baselines(problem);
  }

  CallTraffic traffic(const Problem& problem, const RankShape& shape) const override {
    return Kernels::traffic(problem, shape);
  }

  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override {
    validate(problem.options);
    return std::make_unique<Kernels>(problem, groups, own);
  }

 private:
  std::string_view name_;
};

}  // namespace vparity::harness::baselines
