#include "harness/provider/faulty/known_faults.h"

#include <array>
#include <tuple>

#include "harness/provider/faulty/gradient_faults.h"
#include "harness/provider/faulty/memory_faults.h"
#include "harness/provider/faulty/sharding_faults.h"
#include "harness/provider/faulty/statistics_faults.h"
#include "harness/provider/plain/plain_provider.h"

namespace vparity::harness {
namespace {

template <class... Faults>
struct FaultList {
  static constexpr std::array known{Faults::known...};

  static const auto& providers() {
    static const std::tuple<PlainProvider<Faults>...> made{
        PlainProvider<Faults>(Faults::known.provider)...};
    static const std::array<const Provider*, sizeof...(Faults)> all{
        &std::get<PlainProvider<Faults>>(made)...};
    return all;
  }
};

using AllFaults = FaultList<
    // a row's statistics
    faulty::LogOfUnderflow, faulty::ShiftedZLoss, faulty::MaximumFromZero,
    faulty::ZeroTimesInfinity, faulty::StorageTypeSums, faulty::EntropySign, faulty::LogprobFromLse,
    faulty::UncentredEntropy,
    // the parts of several ranks
    faulty::LocalSmoothing, faulty::UnguardedMerge, faulty::OwnerMaskProduct,
    faulty::InfinitySentinel, faulty::OwnerOnlyGradient, faulty::GradientTimesTp,
    faulty::NoMaximumExchange, faulty::ShardEdge, faulty::MeanOfMeans, faulty::LocalTokenCount,
    // a row's gradient
    faulty::Bf16Gradient, faulty::RoundedProbability, faulty::IgnoredTimesZero,
    faulty::FirstUpstream, faulty::ZeroGradient,
    // what is written where
    faulty::OverwrittenLogits, faulty::EmptyKernel, faulty::SkippedLastRow, faulty::LeftOverResult,
    faulty::Offsets32Bit>;

}  // namespace

std::span<const KnownFault> known_faults() { return AllFaults::known; }

std::span<const Provider* const> faulty_providers() { return AllFaults::providers(); }

}  // namespace vparity::harness
