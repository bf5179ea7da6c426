#include "harness/provider/known_bugs/known_faults.h"

#include <vector>

#include "harness/provider/known_bugs/cuda/cuda_faults.h"
#include "harness/provider/known_bugs/fault_list.h"
#include "harness/provider/known_bugs/gradient_faults.h"
#include "harness/provider/known_bugs/memory_faults.h"
#include "harness/provider/known_bugs/sharding_faults.h"
#include "harness/provider/known_bugs/statistics_faults.h"
#include "harness/provider/plain/plain_provider.h"

namespace vparity::harness {
namespace {

template <class Kernels>
using OnCpu = PlainProvider<Kernels>;

using FaultsOnCpu =
    FaultList<OnCpu,
              // a row's statistics
              faulty::LogOfUnderflow, faulty::ShiftedZLoss, faulty::MaximumFromZero,
              faulty::ZeroTimesInfinity, faulty::StorageTypeSums, faulty::EntropySign,
              faulty::LogprobFromLse, faulty::UncentredEntropy,
              // the parts of several ranks
              faulty::LocalSmoothing, faulty::UnguardedMerge, faulty::OwnerMaskProduct,
              faulty::InfinitySentinel, faulty::OwnerOnlyGradient, faulty::GradientTimesTp,
              faulty::NoMaximumExchange, faulty::ShardEdge, faulty::MeanOfMeans,
              faulty::LocalTokenCount,
              // a row's gradient
              faulty::Bf16Gradient, faulty::RoundedProbability, faulty::IgnoredTimesZero,
              faulty::FirstUpstream, faulty::ZeroGradient,
              // what is written where
              faulty::OverwrittenLogits, faulty::EmptyKernel, faulty::SkippedLastRow,
              faulty::LeftOverResult, faulty::Offsets32Bit>;

/// Of both backends.
template <class T>
std::vector<T> joined(std::span<const T> cpu, std::span<const T> cuda) {
  std::vector<T> all(cpu.begin(), cpu.end());
  all.insert(all.end(), cuda.begin(), cuda.end());
  return all;
}

}  // namespace

std::span<const KnownFault> known_faults() {
  static const auto all = joined<KnownFault>(FaultsOnCpu::known, known_cuda_faults());
  return all;
}

std::span<const Provider* const> faulty_providers() {
  static const auto all =
      joined<const Provider*>(FaultsOnCpu::providers(), faulty_cuda_providers());
  return all;
}

}  // namespace vparity::harness
