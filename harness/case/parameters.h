// One case: a value for every axis of a matrix (docs/matrix-file.md). The defaults are the axes'
// defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vparity/dtype.h"
#include "vparity/options.h"
#include "vparity/vocabulary_split.h"

namespace vparity::harness {

enum class DpRows { even, uneven, one_empty };
enum class GradientDType { logits, fp32 };
enum class RowStride { packed, strided, huge };
enum class Alignment { natural, odd };
enum class Backend { cpu, cuda, cuda_sim };
enum class Transport { mpi, threads, nccl };
enum class LogitsPattern {
  normal,
  lm_like,
  constant,
  one_peak,
  large_offset,
  wide,
  ascending,
  ties,
  extreme,
  nonfinite
};
enum class MaskPattern {
  none,
  top_k,
  random,
  one_shard,
  first_block,
  target,
  padding,
  all_but_one,
  whole_row
};
enum class LabelPattern {
  uniform,
  shard_edges,
  last_id,
  ignored_30,
  all_ignored,
  one_dp_rank_ignored
};
/// What is timed: one call, or one after the other.
enum class Operation { forward_backward, forward, backward };
enum class WeightPattern { ones, random_signed, zeros_mixed, advantages };

/// Which outputs have an upstream gradient.
struct GradientOf {
  bool loss = true;
  bool logprob = false;
  bool entropy = false;
  bool operator==(const GradientOf&) const = default;
};

struct CaseParameters {
  int tp = 1;
  int dp = 1;
  std::int64_t tokens = 64;  ///< rows over all DP ranks
  std::int64_t vocab = 0;    ///< has no default
  DpRows dp_rows = DpRows::even;
  DType dtype = DType::fp32;
  GradientDType grad_dtype = GradientDType::logits;
  int ids = 1;
  Layout layout = Layout::ceil;
  RowStride row_stride = RowStride::packed;
  Alignment alignment = Alignment::natural;
  Mode mode = Mode::fast;
  bool batch_invariant = false;
  bool in_place = false;
  std::int64_t chunk = 0;
  Backend backend = Backend::cpu;
  Transport transport = Transport::mpi;
  std::string provider = "vparity";
  LogitsPattern logits = LogitsPattern::normal;
  MaskPattern mask = MaskPattern::none;
  LabelPattern labels = LabelPattern::uniform;
  WeightPattern weights = WeightPattern::ones;
  GradientOf grad_of;
  Reduction reduction = Reduction::sum;
  float temperature = 1;
  std::optional<float> softcap;
  float label_smoothing = 0;
  float z_loss = 0;
  std::int64_t ignore_index = -100;
  Operation op = Operation::forward_backward;  ///< of throughput alone

  int world() const { return tp * dp; }
  DType gradient_dtype() const { return grad_dtype == GradientDType::fp32 ? DType::fp32 : dtype; }
  bool operator==(const CaseParameters&) const = default;
};

}  // namespace vparity::harness
