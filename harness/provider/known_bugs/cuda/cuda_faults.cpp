#include "harness/provider/known_bugs/cuda/cuda_faults.h"

#include "harness/provider/known_bugs/cuda/gradient_faults.cuh"
#include "harness/provider/known_bugs/cuda/row_faults.cuh"
#include "harness/provider/known_bugs/cuda/sum_faults.cuh"
#include "harness/provider/known_bugs/fault_list.h"
#include "harness/provider/plain/cuda/plain_cuda_provider.h"

namespace vparity::harness {
namespace {

using namespace faulty_cuda;

template <class Kernels>
using OnDevice = PlainCudaProvider<Kernels>;

using AllFaults =
    FaultList<OnDevice,
              // sums of a row
              WrongSums<StaleSums>, WrongSums<ShortReduction>, WrongSums<LostWarp>,
              WrongSums<MissingBarrier>, WrongSums<SkippedTail>, WrongSums<SkippedHead>,
              WrongSums<DroppedNan>, WrongSums<InfinityAsNumber>, WrongSums<MaximumFromZero>,
              WrongSums<OneTilePerBlock>, WrongSums<Offsets32Bit>, SummedPadding,
              // the parts of blocks and ranks
              WrongRecords<FirstBlockOnly>, WrongRecords<UnmovedBlocks>,
              WrongOutputs<OwnerByDivision>, OwnerMaskProduct, WrongOutputs<LocalSmoothing>,
              Ids32Bit,
              // the gradient
              WrongCoefficients<RoundedOneHot>, WrongCoefficients<OverwrittenDuplicates>,
              WrongCoefficients<MissingTemperature>, WrongCoefficients<OtherRowsStatistics>,
              NoEntropyGradient, LocalTokenCount, WrongGradient<MissingSlope>,
              WrongGradient<UnwrittenIgnoredRows>, UnwrittenPadding, TargetAfterPass>;

}  // namespace

std::span<const KnownFault> known_cuda_faults() { return AllFaults::known; }

std::span<const Provider* const> faulty_cuda_providers() { return AllFaults::providers(); }

}  // namespace vparity::harness
