#include "harness/provider/known_bugs/known_bugs.h"

#include <vector>

#include "harness/provider/known_bugs/cuda/known_cuda_bugs.h"
#include "harness/provider/known_bugs/gradient_bugs.h"
#include "harness/provider/known_bugs/known_bug_list.h"
#include "harness/provider/known_bugs/memory_bugs.h"
#include "harness/provider/known_bugs/sharding_bugs.h"
#include "harness/provider/known_bugs/statistics_bugs.h"
#include "harness/provider/plain/plain_provider.h"

namespace vparity::harness {
namespace {

template <class Kernels>
using OnCpu = PlainProvider<Kernels>;

using BugsOnCpu =
    KnownBugList<OnCpu,
                 // a row's statistics
                 bugs::LogOfUnderflow, bugs::ShiftedZLoss, bugs::MaximumFromZero,
                 bugs::ZeroTimesInfinity, bugs::StorageTypeSums, bugs::EntropySign,
                 bugs::LogprobFromLse, bugs::UncentredEntropy,
                 // the parts of several ranks
                 bugs::LocalSmoothing, bugs::UnguardedMerge, bugs::OwnerMaskProduct,
                 bugs::InfinitySentinel, bugs::OwnerOnlyGradient, bugs::GradientTimesTp,
                 bugs::NoMaximumExchange, bugs::ShardEdge, bugs::MeanOfMeans, bugs::LocalTokenCount,
                 // a row's gradient
                 bugs::Bf16Gradient, bugs::RoundedProbability, bugs::IgnoredTimesZero,
                 bugs::FirstUpstream, bugs::ZeroGradient,
                 // what is written where
                 bugs::OverwrittenLogits, bugs::EmptyKernel, bugs::SkippedLastRow,
                 bugs::LeftOverResult, bugs::Offsets32Bit>;

/// Of both backends.
template <class T>
std::vector<T> joined(std::span<const T> cpu, std::span<const T> cuda) {
  std::vector<T> all(cpu.begin(), cpu.end());
  all.insert(all.end(), cuda.begin(), cuda.end());
  return all;
}

}  // namespace

std::span<const KnownBug> known_bugs() {
  static const auto all = joined<KnownBug>(BugsOnCpu::known, known_cuda_bugs());
  return all;
}

std::span<const Provider* const> known_bug_providers() {
  static const auto all =
      joined<const Provider*>(BugsOnCpu::providers(), known_cuda_bug_providers());
  return all;
}

}  // namespace vparity::harness
