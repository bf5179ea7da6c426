// The plain kernels of a simulated device, or kernels derived from them, as a provider.
#pragma once

#include <concepts>
#include <memory>

#include "device/simulated/simulated_device.h"
#include "harness/provider/device_session.h"
#include "harness/provider/plain/cuda/plain_cuda_kernels.h"
#include "harness/provider/plain/plain_provider.h"
#include "vparity/host_staged_communicator.h"

namespace vparity::harness {

template <std::derived_from<PlainCudaKernels> Kernels>
class PlainCudaProvider final : public Provider {
 public:
  constexpr explicit PlainCudaProvider(std::string_view name) : name_(name) {}

  std::string_view name() const override { return name_; }
  bool runs_on(Backend backend) const override { return backend == Backend::cuda_sim; }
  std::optional<std::string> unsupported(const Problem& problem) const override {
    return unsupported_by_plain(problem);
  }
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override {
    auto device = cuda::make_simulated_device(std::make_unique<Kernels>(own));
    auto tp = make_host_staged_communicator(groups.tp, *device);
    return session_on_device(problem, groups, own, std::move(device), std::move(tp));
  }

 private:
  std::string_view name_;
};

/// `plain`: on either backend the kernels that those with a known bug deviate from.
class PlainOnCpuOrSimulator final : public Provider {
 public:
  std::string_view name() const override { return "plain"; }
  bool runs_on(Backend backend) const override { return backend != Backend::cuda; }
  std::optional<std::string> unsupported(const Problem& problem) const override {
    return unsupported_by_plain(problem);
  }
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override {
    if (problem.backend == Backend::cpu) return on_cpu_.prepare(problem, groups, own);
    return on_device_.prepare(problem, groups, own);
  }

 private:
  PlainProvider<> on_cpu_{name()};
  PlainCudaProvider<PlainCudaKernels> on_device_{name()};
};

}  // namespace vparity::harness
