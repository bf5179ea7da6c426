#include <vector>

#include "harness/provider/baselines/baseline_provider.h"
#include "harness/provider/baselines/gather_full_grad.h"
#include "harness/provider/baselines/three_allreduce.h"
#include "harness/provider/known_bugs/known_bugs.h"
#include "harness/provider/plain/cuda/plain_cuda_provider.h"
#include "harness/provider/registry/registry.h"
#include "harness/provider/vparity_provider.h"

namespace vparity::harness {

std::span<const Provider* const> shipped_providers() {
  static const VparityProvider vparity;
  static const VparityFusedProvider fused;
  static const PlainOnCpuOrSimulator plain;
  static const baselines::BaselineProvider<baselines::ThreeAllreduce> three_allreduce(
      "three-allreduce");
  static const baselines::BaselineProvider<baselines::GatherFullGrad> gather_full_grad(
      "gather-full-grad");
  static const std::vector<const Provider*> all = [] {
    std::vector<const Provider*> list{&vparity, &fused, &plain, &three_allreduce,
                                      &gather_full_grad};
    const auto bugs = known_bug_providers();
    list.insert(list.end(), bugs.begin(), bugs.end());
    return list;
  }();
  return all;
}

}  // namespace vparity::harness
