// In the place of harness/provider/registry/provider_list.cpp.
#include <memory>

#include "harness/commands/crashing_providers/broken_provider.h"
#include "harness/commands/crashing_providers/undefined_kernels.h"
#include "harness/provider/registry/registry.h"
#include "harness/provider/vparity_provider.h"

namespace vparity::harness {
namespace {

constexpr int ranks_that_can_break = 4;

class ProviderList {
 public:
  ProviderList() {
    for (const Fault& fault : all_faults()) {
      for (int rank = 0; rank < ranks_that_can_break; ++rank) {
        broken_.push_back(std::make_unique<BrokenProvider>(fault, rank));
        all_.push_back(broken_.back().get());
      }
    }
    for (const auto& undefined : undefined_) all_.push_back(undefined.get());
  }

  std::span<const Provider* const> all() const { return all_; }

 private:
  VparityProvider right_;
  std::vector<std::unique_ptr<BrokenProvider>> broken_;
  std::vector<std::unique_ptr<Provider>> undefined_ = undefined_kernel_sets();
  std::vector<const Provider*> all_{&right_};
};

}  // namespace

std::span<const Provider* const> all_providers() {
  static const ProviderList list;
  return list.all();
}

}  // namespace vparity::harness
