// Bugs in the kernels of the gradient.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/plain/cuda/plain_cuda_kernels.h"
#include "harness/provider/plain/cuda/plain_launches.cuh"

namespace vparity::harness::cuda_bugs {

/// The plain kernels with other steps in the one that finds coefficients.
template <class Steps>
struct WrongCoefficients : PlainCudaKernels {
  static constexpr KnownBug known = Steps::known;
  using PlainCudaKernels::PlainCudaKernels;
  void find_coefficients(const cuda::FindCoefficients& call) override {
    plain_cuda::start_coefficients<Steps>(call);
  }
};

/// The same of the pass over the logits.
template <class Steps>
struct WrongGradient : PlainCudaKernels {
  static constexpr KnownBug known = Steps::known;
  using PlainCudaKernels::PlainCudaKernels;
  void write_gradient(const cuda::WriteGradient& call) override {
    plain_cuda::start_gradient<Steps>(call);
  }
};

struct RoundedOneHot : plain_cuda::CoefficientSteps {
  static constexpr KnownBug known{"known-bug-cuda-rounded-one-hot",
                                  "p is rounded to bf16 before the one-hot is subtracted",
                                  "linkedin/Liger-Kernel#1329, linkedin/Liger-Kernel#1432",
                                  "*,dtype=bf16,*,logits=one_peak,mask=none,mode=fast,*"};
  template <DType kType>
  __device__ static cuda::TargetGradient target(const cuda::FindCoefficients& call,
                                                const RowGradient& gradient,
                                                const plain_cuda::Upstream& upstream,
                                                std::int64_t row, int k) {
    using Bf16 = cuda::Storage<DType::bf16>;
    const auto right = CoefficientSteps::target<kType>(call, gradient, upstream, row, k);
    if (right.column < 0) return right;
    const float x = cuda::stored_logit<kType>(call.logits, row, right.column);
    const auto one_hot =
        static_cast<float>(upstream.one_hot_weight(k, call.options.label_smoothing) *
                           vparity::detail::slope(call.transform, x) / call.transform.temperature);
    return {right.column, Bf16::widen(Bf16::narrow(right.value - one_hot)) + one_hot};
  }
};

struct OverwrittenDuplicates : plain_cuda::CoefficientSteps {
  static constexpr KnownBug known{"known-bug-cuda-overwritten-duplicates",
                                  "of equal ids the last one's gradient is kept, not the sum", "",
                                  "*,ids=3,*,labels=uniform,*,vocab=257,weights=random_signed,*"};
  __device__ static bool comes_again(const cuda::DeviceIds& ids, std::int64_t row, int k) {
    for (int later = k + 1; later < ids.columns(); ++later)
      if (ids(row, later) == ids(row, k)) return true;
    return false;
  }
  template <DType kType>
  __device__ static cuda::TargetGradient target(const cuda::FindCoefficients& call,
                                                const RowGradient& gradient,
                                                const plain_cuda::Upstream& upstream,
                                                std::int64_t row, int k) {
    const std::int64_t id = call.targets.ids(row, k);
    if (upstream.ignored(k) || !cuda::owns(call.targets.own, id) ||
        comes_again(call.targets.ids, row, k))
      return {-1, 0};
    const std::int64_t column = id - call.targets.own.begin;
    const float x = cuda::stored_logit<kType>(call.logits, row, column);
    const double loss = k == 0 ? (1 - double{call.options.label_smoothing}) * upstream.loss() : 0;
    return {column, static_cast<float>(one_hot_gradient(gradient, call.transform, x,
                                                        cuda::transformed(x, call.transform),
                                                        upstream.logprob(k) - loss))};
  }
};

struct MissingTemperature : plain_cuda::CoefficientSteps {
  static constexpr KnownBug known{"known-bug-cuda-missing-temperature",
                                  "the gradient is not divided by the temperature", "",
                                  "*,mode=fast,*,temperature=0.7,*"};
  __device__ static float divisor(const Transform&) { return 1; }
};

struct OtherRowsStatistics : plain_cuda::CoefficientSteps {
  static constexpr KnownBug known{"known-bug-cuda-other-rows-statistics",
                                  "the backward reads the saved statistics of the row before", "",
                                  "*,labels=uniform,*,vocab=257,weights=random_signed,*"};
  __device__ static SavedRow saved(const cuda::FindCoefficients& call, std::int64_t row) {
    return CoefficientSteps::saved(call, row == 0 ? 0 : row - 1);
  }
};

struct NoEntropyGradient : PlainCudaKernels {
  static constexpr KnownBug known{"known-bug-cuda-no-entropy-gradient",
                                  "the entropy takes no part in the gradient", "",
                                  "*,labels=uniform,*,vocab=257,weights=random_signed,*"};
  using PlainCudaKernels::PlainCudaKernels;
  void find_coefficients(const cuda::FindCoefficients& call) override {
    cuda::FindCoefficients wrong = call;
    wrong.upstream.entropy = {};
    PlainCudaKernels::find_coefficients(wrong);
  }
};

struct LocalTokenCount : PlainCudaKernels {
  static constexpr KnownBug known{
      "known-bug-cuda-local-token-count",
      "the gradient of the mean loss is divided by the rank's own count of valid tokens",
      "NVIDIA/Megatron-LM#7452, pytorch/torchtitan#2206",
      "*,dp_rows=uneven,*,reduction=mean,*,vocab=131,*"};
  using PlainCudaKernels::PlainCudaKernels;
  void find_coefficients(const cuda::FindCoefficients& call) override {
    cuda::FindCoefficients wrong = call;
    wrong.global_valid_tokens = 0;
    for (std::int64_t row = 0; row < call.logits.rows; ++row)
      wrong.global_valid_tokens += cuda::ignored(call.targets, row, 0) ? 0 : 1;
    PlainCudaKernels::find_coefficients(wrong);
  }
};

struct MissingSlope : plain_cuda::GradientSteps {
  static constexpr KnownBug known{"known-bug-cuda-missing-slope",
                                  "the gradient leaves out the slope of the softcap", "",
                                  "*,mode=fast,*,softcap=30,*"};
  __device__ static double slope(float, const Transform&) { return 1; }
};

struct UnwrittenIgnoredRows : plain_cuda::GradientSteps {
  static constexpr KnownBug known{"known-bug-cuda-unwritten-ignored-rows",
                                  "the gradient of an ignored row is not written", "",
                                  "*,labels=ignored_30,*,logits=nonfinite,*,mode=fast,*"};
  __device__ static bool writes_row(const cuda::RowCoefficients& row) {
    return row.kind != RowGradient::Kind::zero;
  }
};

struct UnwrittenPadding : PlainCudaKernels {
  static constexpr KnownBug known{"known-bug-cuda-unwritten-padding",
                                  "the gradient of padding columns is not written", "",
                                  "*,layout=padded,logits=normal,mask=padding,mode=fast,*"};
  using PlainCudaKernels::PlainCudaKernels;
  void write_gradient(const cuda::WriteGradient& call) override {
    cuda::WriteGradient wrong = call;
    wrong.gradient.width = call.logits.columns;
    PlainCudaKernels::write_gradient(wrong);
  }
};

template <DType kGradient>
__global__ void targets_kernel(cuda::WriteGradient call) {
  const auto bytes = static_cast<std::int64_t>(size_of(kGradient));
  for (std::int64_t row = cuda::first_row_of_thread(); row < call.logits.rows;
       row += cuda::threads_of_grid()) {
    for (int k = 0; k < call.id_columns; ++k) {
      const cuda::TargetGradient& target = call.target_gradients[row * call.id_columns + k];
      if (target.column < 0) continue;
      const std::int64_t at = row * call.gradient.row_stride + target.column;
      cuda::store_element<kGradient>(call.gradient.data + at * bytes, target.value);
    }
  }
}

struct TargetAfterPass : PlainCudaKernels {
  static constexpr KnownBug known{
      "known-bug-cuda-target-after-pass",
      "the target's gradient is computed after the pass, which in place has overwritten the logit",
      "", "*,in_place=true,*,mode=fast,*,row_stride=packed,*,vocab=130,*"};
  using PlainCudaKernels::PlainCudaKernels;
  void find_coefficients(const cuda::FindCoefficients& call) override {
    found_ = call;
    PlainCudaKernels::find_coefficients(call);
  }
  void write_gradient(const cuda::WriteGradient& call) override {
    PlainCudaKernels::write_gradient(call);
    PlainCudaKernels::find_coefficients(*found_);
    cuda::with_type(call.gradient.dtype, [&](auto to) {
      plain_cuda::start(targets_kernel<to.type>, cuda::row_blocks(call.logits.rows), call);
    });
  }

 private:
  std::optional<cuda::FindCoefficients> found_;
};

}  // namespace vparity::harness::cuda_bugs
