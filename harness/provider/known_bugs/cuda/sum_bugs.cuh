// Bugs in a kernel that sums rows.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/plain/cuda/plain_cuda_kernels.h"
#include "harness/provider/plain/cuda/plain_launches.cuh"

namespace vparity::harness::cuda_bugs {

/// The plain kernels with other steps in the one that sums.
template <class Steps>
struct WrongSums : PlainCudaKernels {
  static constexpr KnownBug known = Steps::known;
  using PlainCudaKernels::PlainCudaKernels;
  void sum_blocks(const cuda::SumBlocks& call) override { plain_cuda::start_sums<Steps>(call); }
};

struct StaleSums : plain_cuda::SumSteps {
  static constexpr KnownBug known{"known-bug-cuda-stale-sums",
                                  "the sums so far are not rescaled when the maximum rises", "",
                                  "*,logits=ascending,mask=none,mode=fast,*"};
  __device__ static FullRowSums moved(FullRowSums sums, float max, float) {
    sums.max = max;
    return sums;
  }
};

struct ShortReduction : plain_cuda::SumSteps {
  static constexpr KnownBug known{"known-bug-cuda-short-reduction",
                                  "the last step of the warp's reduction is left out", "",
                                  "*,labels=uniform,*,tp=2,*,vocab=257,weights=ones,*"};
  static constexpr int nearest_lane = 2;
};

struct LostWarp : plain_cuda::SumSteps {
  static constexpr KnownBug known{"known-bug-cuda-lost-warp",
                                  "the last warp's sums are left out of the block's", "",
                                  "*,dtype=fp32,*,mode=fast,*,tokens=5,tp=1,*,vocab=1003,*"};
  static constexpr int warps = cuda::warps_per_block - 1;
};

// ThreadSanitizer would rightly end the run: it must not see these stores, for others to be seen.
#if defined(__SANITIZE_THREAD__)
#define VPARITY_RACES __attribute__((no_sanitize_thread, noinline))
#else
#define VPARITY_RACES
#endif

struct MissingBarrier : plain_cuda::SumSteps {
  static constexpr KnownBug known{
      "known-bug-cuda-missing-barrier",
      "thread 0 reads the warps' sums from shared memory without waiting for them",
      "ggml-org/llama.cpp#26385, ROCm/composable_kernel#323",
      "*,dtype=fp32,*,mode=fast,*,tokens=5,*,vocab=1003,*"};
  VPARITY_RACES __device__ static void put(FullRowSums& place, const FullRowSums& of_warp) {
    place = of_warp;
  }
  __device__ static void wait_for_warps() {}
};

#undef VPARITY_RACES

/// Visits the groups of sixteen bytes and, if `kHead` or `kTail`, what lies before or behind them.
template <DType kType, bool kHead, bool kTail, class Sink>
__device__ void visit_parts(const cuda::Logits& logits, const cuda::Tile& tile, Sink& sink) {
  const std::byte* const at = cuda::element_at<kType>(logits, tile.row, tile.begin);
  cuda::VisitTile<kType, Sink> visit{at, {at, tile.end - tile.begin}, sink};
  cuda::for_each_group(visit.pieces.groups, visit);
  const std::int64_t single = visit.pieces.single_of_thread();
  const bool visited = single < visit.pieces.head ? kHead : kTail;
  float x[1] = {-HUGE_VALF};
  if (single >= 0 && visited)
    x[0] = cuda::load_element<kType>(at + single * visit.pieces.element_bytes);
  sink.template add<1, 1>(x);
}

struct SkippedTail : plain_cuda::SumSteps {
  static constexpr KnownBug known{"known-bug-cuda-skipped-tail",
                                  "elements behind the last group of sixteen bytes are skipped", "",
                                  "*,in_place=false,*,mode=fast,*,row_stride=packed,*,vocab=130,*"};
  template <DType kType, class Sink>
  __device__ static void visit(const cuda::Logits& logits, const cuda::Tile& tile, Sink& sink) {
    visit_parts<kType, true, false>(logits, tile, sink);
  }
};

struct SkippedHead : plain_cuda::SumSteps {
  static constexpr KnownBug known{
      "known-bug-cuda-skipped-head",
      "elements before the first address that sixteen bytes can be loaded from are skipped", "",
      "*,alignment=odd,*,in_place=false,*,mode=fast,*,row_stride=packed,*,vocab=130,*"};
  template <DType kType, class Sink>
  __device__ static void visit(const cuda::Logits& logits, const cuda::Tile& tile, Sink& sink) {
    visit_parts<kType, false, true>(logits, tile, sink);
  }
};

struct DroppedNan : plain_cuda::SumSteps {
  static constexpr KnownBug known{"known-bug-cuda-dropped-nan",
                                  "fmaxf in the clamp makes a masked logit of a NaN",
                                  "apache/tvm#19518", "*,logits=nonfinite,mask=none,mode=fast,*"};
  __device__ static float logit(float f) { return fmaxf(f, -HUGE_VALF); }
};

struct InfinityAsNumber : plain_cuda::SumSteps {
  static constexpr KnownBug known{"known-bug-cuda-infinity-as-number",
                                  "+inf counts as the largest number", "",
                                  "*,logits=nonfinite,mask=none,mode=fast,*"};
  __device__ static float logit(float f) { return f == HUGE_VALF ? FLT_MAX : f; }
};

struct MaximumFromZero : plain_cuda::SumSteps {
  static constexpr KnownBug known{
      "known-bug-cuda-maximum-from-zero", "a thread's running maximum starts at 0",
      "microsoft/onnxruntime#2786", "*,logits=large_offset,mask=none,mode=fast,*"};
  static constexpr float first_maximum = 0;
};

struct OneTilePerBlock : plain_cuda::SumSteps {
  static constexpr KnownBug known{
      "known-bug-cuda-one-tile-per-block",
      "rows beyond the grid are not visited: no grid-stride loop", "",
      "*,dp=1,*,layout=padded,logits=normal,mask=none,mode=fast,*,tp=2,*,vocab=1003,*"};
  __device__ static std::int64_t next_tile(std::int64_t, std::int64_t tiles) { return tiles; }
};

struct Offsets32Bit : plain_cuda::SumSteps {
  static constexpr KnownBug known{"known-bug-cuda-32-bit-offsets",
                                  "a row's offset in bytes is a 32-bit number",
                                  "microsoft/onnxruntime#32299, pytorch/pytorch#190139",
                                  "*,in_place=false,*,row_stride=huge,*"};
  template <DType kType, class Sink>
  __device__ static void visit(const cuda::Logits& logits, const cuda::Tile& tile, Sink& sink) {
    cuda::Logits row = logits;
    const auto bytes = static_cast<std::int64_t>(size_of(kType));
    row.data += static_cast<std::uint32_t>(tile.row * logits.row_stride * bytes);
    cuda::visit_tile<kType>(row, {0, tile.begin, tile.end}, sink);
  }
};

struct SummedPadding : PlainCudaKernels {
  static constexpr KnownBug known{"known-bug-cuda-summed-padding",
                                  "padding columns are summed with the valid ones", "",
                                  "*,layout=padded,logits=normal,mask=padding,mode=fast,*"};
  using PlainCudaKernels::PlainCudaKernels;
  void sum_blocks(const cuda::SumBlocks& call) override {
    cuda::SumBlocks wrong = call;
    if (cuda::blocks_of(own().width) == cuda::blocks_of(own().valid()))
      wrong.logits.columns = own().width;
    PlainCudaKernels::sum_blocks(wrong);
  }
};

}  // namespace vparity::harness::cuda_bugs
