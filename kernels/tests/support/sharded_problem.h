// A full-vocabulary problem of a test, solved on a TP x DP grid of ranks and put together again.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vparity/communicator.h"
#include "vparity/options.h"
#include "vparity/policy_statistics.h"
#include "vparity/vocabulary_split.h"

namespace vparity::testing {

struct Problem {
  std::int64_t vocab = 0;
  std::vector<float> logits;      ///< [T, V], rounded to `dtype` when they are stored
  std::vector<std::int64_t> ids;  ///< [T, K]
  Options options = {};
  int id_columns = 1;
  DType dtype = DType::fp32;
  DType gradient_dtype = DType::fp32;
  Layout layout = Layout::ceil;
  std::vector<float> grad_logprob = {};    ///< [T, K]; empty: absent, as the next two
  std::vector<float> grad_entropy = {};    ///< [T]
  std::vector<float> grad_loss = {};       ///< [T]
  std::vector<std::int64_t> dp_rows = {};  ///< rows of each DP rank; empty: one DP rank has all
  bool fused = false;                      ///< solved by forward_backward instead of the two calls
  bool on_device = false;  ///< by the CUDA kernels, on a device for each rank (test_device.h)

  std::int64_t rows() const { return static_cast<std::int64_t>(ids.size()) / id_columns; }
  int dp() const { return dp_rows.empty() ? 1 : static_cast<int>(dp_rows.size()); }
};

/// The outputs of all rows and columns, the same on every rank; gradient elements as numbers.
struct Outcome {
  std::vector<float> logprob, entropy, lse, loss;
  std::vector<float> gradient;  ///< [T, V]
  GlobalResults global;
  /// Counters of this rank's groups; those of a fused problem are in `..._forward`.
  CommunicationCounters tp_forward, tp_backward, dp_forward;
};

/// A rank's two groups: `tp` neighbouring ranks share their rows.
class Grid {
 public:
  Grid(Communicator& world, int tp);
  ProcessGroups groups() const { return {*tp_, *dp_}; }

 private:
  std::unique_ptr<Communicator> tp_, dp_;
};

/// The storage of some logits as `dtype`, packed.
std::vector<std::byte> encode(std::span<const float> values, DType dtype);
std::vector<float> decode(std::span<const std::byte> stored, DType dtype);

/// Collective over a grid of tp * problem.dp() ranks. Shards are strided and their padding and gaps
/// hold NaN; output buffers are filled with NaN before the calls.
Outcome solve(ProcessGroups groups, const Problem& problem);

}  // namespace vparity::testing
