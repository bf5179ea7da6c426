// Bugs in a row's statistics that one rank alone could have.
#pragma once

#include <algorithm>
#include <cmath>

#include "harness/case/storage.h"
#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/plain/plain_kernels.h"

namespace vparity::harness::bugs {

struct LogOfUnderflow : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-log-of-underflow",
      "label smoothing sums log(e^z), and e^z underflows to 0 beyond a gap of 103",
      "NVIDIA/Megatron-LM#7464",
      "*,label_smoothing=0.1,*,logits=wide,*,mode=fast,*,softcap=null,*"};
  using PlainKernels::PlainKernels;
  double smoothing_term(double z) const override {
    return std::log(std::exp(static_cast<float>(z)));
  }
};

struct ShiftedZLoss : PlainKernels {
  static constexpr KnownBug known{"known-bug-shifted-z-loss",
                                  "z-loss of the shifted sum: the maximum is not added back",
                                  "nanotron", "*,mode=fast,*,z_loss=0.0001,"};
  using PlainKernels::PlainKernels;
  double z_loss(const PlainRow& row) const override { return row.log_sum * row.log_sum; }
};

struct MaximumFromZero : PlainKernels {
  static constexpr KnownBug known{"known-bug-maximum-from-zero", "the running maximum starts at 0",
                                  "verl; Megatron-LM (dev)",
                                  "*,logits=large_offset,mask=none,mode=fast,*"};
  using PlainKernels::PlainKernels;
  double maximum(std::span<const double> f) const override {
    return std::max(0.0, PlainKernels::maximum(f));
  }
};

struct ZeroTimesInfinity : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-zero-times-infinity", "the entropy adds 0 * (-inf) for a masked column",
      "huggingface/trl#7221, NovaSky-AI/SkyRL#2259", "*,mask=random,mode=fast,*,tp=2,*"};
  using PlainKernels::PlainKernels;
  double entropy_term(double e, double z) const override { return e * z; }
};

struct StorageTypeSums : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-storage-type-sums", "the statistics are kept in the logits' type, no upcast",
      "verl; ColossalAI", "*,dtype=bf16,*,logits=normal,*,mode=fast,*,vocab=1003,*"};
  using PlainKernels::PlainKernels;
  PlainSums shard_sums(std::span<const double> f) const override {
    PlainSums sums = PlainKernels::shard_sums(f);
    for (double* sum : {&sums.s, &sums.u, &sums.a}) {
      auto stored = static_cast<float>(*sum);
      round_to(problem().logits_dtype, {&stored, 1});
      *sum = stored;
    }
    return sums;
  }
};

struct EntropySign : PlainKernels {
  static constexpr KnownBug known{"known-bug-entropy-sign", "sum p log p is called the entropy",
                                  "NeMo-RL", "*,mode=fast,*,tokens=5,tp=2,*"};
  using PlainKernels::PlainKernels;
  double entropy(const PlainRow& row) const override { return -PlainKernels::entropy(row); }
};

struct LogprobFromLse : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-logprob-from-lse",
      "the log-probability is formed from the fp32 log-sum-exp, whose offset swallows the fraction",
      "pytorch/pytorch#38839", "*,logits=large_offset,mask=none,mode=fast,*"};
  using PlainKernels::PlainKernels;
  double logprob(const PlainRow& row, double target) const override {
    const auto lse = static_cast<float>(row.lse);
    return static_cast<float>(target / problem().options.temperature) - lse;
  }
};

struct UncentredEntropy : PlainKernels {
  static constexpr KnownBug known{"known-bug-uncentred-entropy",
                                  "the entropy is lse - sum p x, both with the row's offset",
                                  "several", "*,logits=large_offset,mask=none,mode=fast,*"};
  using PlainKernels::PlainKernels;
  double entropy(const PlainRow& row) const override {
    const double mean_z = row.sums.u / row.sums.s;
    const auto mean_x = static_cast<float>(row.sums.max / problem().options.temperature + mean_z);
    return static_cast<float>(row.lse) - mean_x;
  }
};

}  // namespace vparity::harness::bugs
