// Bugs in a row's gradient that one rank alone could have.
#pragma once

#include <cmath>

#include "harness/case/storage.h"
#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/plain/plain_kernels.h"

namespace vparity::harness::bugs {

inline double rounded_to_bf16(double value) {
  auto rounded = static_cast<float>(value);
  round_to(DType::bf16, {&rounded, 1});
  return rounded;
}

struct Bf16Gradient : PlainKernels {
  static constexpr KnownBug known{"known-bug-bf16-gradient",
                                  "the gradient is always rounded to bf16", "Megatron-LM (fused)",
                                  "*,dtype=fp32,*,logits=lm_like,*,mode=fast,*,vocab=1003,*"};
  using PlainKernels::PlainKernels;
  std::vector<double> row_gradient(const PlainRow& row, std::span<const std::int64_t> ids,
                                   const PlainUpstream& g,
                                   std::span<const double> x) const override {
    auto gradient = PlainKernels::row_gradient(row, ids, g, x);
    for (double& element : gradient) element = rounded_to_bf16(element);
    return gradient;
  }
};

struct RoundedProbability : PlainKernels {
  static constexpr KnownBug known{"known-bug-rounded-probability",
                                  "p is rounded to bf16 before the one-hot is subtracted",
                                  "linkedin/Liger-Kernel#1329, linkedin/Liger-Kernel#1432",
                                  "*,dtype=bf16,*,logits=one_peak,*,mode=fast,*"};
  using PlainKernels::PlainKernels;
  double probability(double log_p) const override {
    return rounded_to_bf16(PlainKernels::probability(log_p));
  }
};

struct IgnoredTimesZero : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-ignored-times-zero",
      "an ignored row's gradient is multiplied with 0, which keeps a NaN", "pytorch/pytorch#11551",
      "*,grad_of=loss,*,logits=nonfinite,*,mode=fast,*"};
  using PlainKernels::PlainKernels;
  std::vector<double> row_gradient(const PlainRow& row, std::span<const std::int64_t> ids,
                                   const PlainUpstream& g,
                                   std::span<const double> x) const override {
    auto gradient = used_row_gradient(row, ids, g, x);
    if (g.all_zero()) {
      for (double& element : gradient) element *= 0;
    }
    return gradient;
  }
};

struct FirstUpstream : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-first-upstream", "the upstream gradient's first element is used for every row",
      "NVIDIA/TransformerEngine#2139", "*,vocab=257,weights=random_signed,*"};
  using PlainKernels::PlainKernels;
  double upstream(const Replicated<const float>& view, std::int64_t, int) const override {
    return PlainKernels::upstream(view, 0, 0);
  }
};

struct ZeroGradient : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-zero-gradient", "zeros for the gradient, which every absolute tolerance passes",
      "ScalingIntelligence/KernelBench#165", "*,mode=fast,*,tokens=5,tp=2,*"};
  using PlainKernels::PlainKernels;
  std::vector<double> row_gradient(const PlainRow&, std::span<const std::int64_t>,
                                   const PlainUpstream&, std::span<const double> x) const override {
    return std::vector<double>(x.size(), 0);
  }
};

}  // namespace vparity::harness::bugs
