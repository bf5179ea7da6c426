#include <memory>

#include "harness/commands/crashing_providers/crashing_cuda_kernels.h"
#include "harness/commands/crashing_providers/crashing_provider.h"
#include "harness/provider/vparity_provider.h"

namespace vparity::harness {
namespace {

constexpr int ranks_that_can_misbehave = 4;

class ProviderList {
 public:
  ProviderList() {
    for (const Misbehaviour& misbehaviour : all_misbehaviours()) {
      for (int rank = 0; rank < ranks_that_can_misbehave; ++rank) {
        crashing_.push_back(std::make_unique<CrashingProvider>(misbehaviour, rank));
        all_.push_back(crashing_.back().get());
      }
    }
    for (const auto& kernels : crashing_cuda_) all_.push_back(kernels.get());
  }

  std::span<const Provider* const> all() const { return all_; }

 private:
  VparityProvider right_;
  std::vector<std::unique_ptr<CrashingProvider>> crashing_;
  std::vector<std::unique_ptr<Provider>> crashing_cuda_ = crashing_cuda_providers();
  std::vector<const Provider*> all_{&right_};
};

}  // namespace

std::span<const Provider* const> crashing_providers() {
  static const ProviderList list;
  return list.all();
}

}  // namespace vparity::harness
