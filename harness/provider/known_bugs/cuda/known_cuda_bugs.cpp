#include "harness/provider/known_bugs/cuda/known_cuda_bugs.h"

#include "harness/provider/known_bugs/cuda/gradient_bugs.cuh"
#include "harness/provider/known_bugs/cuda/row_bugs.cuh"
#include "harness/provider/known_bugs/cuda/sum_bugs.cuh"
#include "harness/provider/known_bugs/known_bug_list.h"
#include "harness/provider/plain/cuda/plain_cuda_provider.h"

namespace vparity::harness {
namespace {

using namespace cuda_bugs;

template <class Kernels>
using OnDevice = PlainCudaProvider<Kernels>;

using AllBugs =
    KnownBugList<OnDevice,
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

std::span<const KnownBug> known_cuda_bugs() { return AllBugs::known; }

std::span<const Provider* const> known_cuda_bug_providers() { return AllBugs::providers(); }

}  // namespace vparity::harness
