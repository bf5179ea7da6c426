// The kernels of a device, as the host asks for them. All addresses are the device's; every call is
// enqueued. What the numbers mean is semantics 2 to 6 (docs/semantics.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/kernels/device_ids.h"
#include "device/kernels/records.h"
#include "reproducible/grid_sum.h"
#include "reproducible/order_key.h"
#include "row/gradient.h"
#include "row/sums.h"
#include "row/transform.h"
#include "vparity/dtype.h"
#include "vparity/options.h"
#include "vparity/policy_statistics.h"
#include "vparity/vocabulary_split.h"

namespace vparity::cuda {

/// A row is summed in blocks of so many columns, each by one thread block; the last one may have
/// fewer. What a row's bits depend on is the shard's width alone, not how many rows there are.
inline constexpr std::int64_t block_columns = 32768;

/// At least one, so that a row without columns has sums too.
inline constexpr std::int64_t blocks_of(std::int64_t columns) {
  return columns <= block_columns ? 1 : (columns + block_columns - 1) / block_columns;
}

/// Rows of logits; the first `columns` of each are valid.
struct Logits {
  const std::byte* data;
  DType dtype;
  std::int64_t rows;
  std::int64_t row_stride;  ///< elements
  std::int64_t columns;
};

/// Where their gradient goes: columns [logits.columns, width) get +0.
struct Gradient {
  std::byte* data;
  DType dtype;
  std::int64_t row_stride;
  std::int64_t width;
};

/// Targets of the rows: which ids there are, and which of them this shard has.
struct Targets {
  DeviceIds ids;
  ShardColumns own;
  std::int64_t vocab;
  std::int64_t ignore_index;
};

struct CheckIds {
  Targets targets;
  std::int64_t rows;
  /// Lowered to the smallest row * K + k whose id is outside [0, V) and not ignored.
  unsigned long long* first_bad_id;
};

struct SumBlocks {
  Logits logits;
  Transform transform;
  bool with_a;
  Partial<RowSums>* blocks;  ///< [rows, blocks_of(columns)]
};

/// Merges a row's blocks, adds f(x) at the ids of this shard: what is exchanged.
struct WriteRecords {
  Logits logits;
  Transform transform;
  const Partial<RowSums>* blocks;
  Targets targets;
  Records<std::byte> records;
};

/// What a row gives its data-parallel sums.
struct RowResult {
  float loss;
  float entropy;
  std::int32_t valid;
  std::int32_t degenerate;
};

/// Saved between forward and backward.
struct SavedRows {
  float* row_max;
  float* sum_minus_one;
  float* entropy;
  float* valid_columns;  ///< only with label smoothing
};

/// Where the results of rows go.
struct RowOutputs {
  StatisticsViews out;  ///< in device memory
  SavedRows saved;
  RowResult* results;
};

/// Merges the records of `ranks` ranks, in their order, and writes what follows from them.
struct WriteOutputs {
  Records<const std::byte> records;  ///< of rank 0; the others follow, bytes() apart
  int ranks;
  const std::int64_t* shard_ends;  ///< of each rank, the column after its last
  Targets targets;
  Options options;
  std::int64_t rows;
  RowOutputs outputs;
};

/// Sums of a data-parallel rank, over rows and chunks.
struct RowTotals {
  double loss;
  double entropy;
  long long valid_tokens;
  long long degenerate_rows;
};

struct AddResults {
  const RowResult* results;
  std::int64_t rows;
  RowTotals* totals;  ///< added to
};

/// Mode `reproducible`: the largest stored logit of every block.
struct FindMaxima {
  Logits logits;
  reproducible::OrderKey* blocks;
};

/// What is exchanged first: a row's maximum in this shard, and f(x) at the ids of this shard.
struct WriteMaxima {
  Logits logits;
  Transform transform;
  const reproducible::OrderKey* blocks;
  Targets targets;
  MaximumRecords<std::byte> records;
};

/// Of all ranks: F of each row, NaN also for +inf; targets [rows, K], 0 for an ignored id.
struct ReadMaxima {
  MaximumRecords<const std::byte> records;
  int ranks;
  const std::int64_t* shard_ends;
  Targets targets;
  Transform transform;
  std::int64_t rows;
  float* maxima;
  float* target_logits;
};

struct SumOnGrid {
  Logits logits;
  Transform transform;
  const float* maxima;
  reproducible::GridSums* blocks;
};

/// The blocks of a row added: what is exchanged second.
struct AddGridBlocks {
  const reproducible::GridSums* blocks;
  std::int64_t rows;
  std::int64_t blocks_per_row;
  reproducible::GridSums* sums;
};

struct WriteGridOutputs {
  const reproducible::GridSums* sums;  ///< [ranks, rows]
  int ranks;
  const float* maxima;
  const float* target_logits;
  Targets targets;
  Options options;
  std::int64_t rows;
  RowOutputs outputs;
};

/// What the pass over a row's logits needs of its coefficients.
struct RowCoefficients {
  RowGradient::Kind kind;
  bool plain;
  float max;
  ScaledCoefficients scaled;
};

/// The gradient at a target, rounded to fp32; column -1: none.
struct TargetGradient {
  std::int64_t column;
  float value;
};

struct FindCoefficients {
  Logits logits;
  Transform transform;
  Targets targets;
  SavedRows saved;
  UpstreamGradients upstream;  ///< in device memory
  Options options;
  std::int64_t global_valid_tokens;
  RowCoefficients* rows;
  TargetGradient* target_gradients;  ///< [rows, K]
};

struct WriteGradient {
  Logits logits;
  Gradient gradient;
  Transform transform;
  const RowCoefficients* rows;
  const TargetGradient* target_gradients;
  int id_columns;
};

/// Mode `gather`: rows from one place to another, whose elements are of the same type.
struct CopyRows {
  const std::byte* from;
  std::int64_t from_stride;  ///< elements
  std::byte* to;
  std::int64_t to_stride;
  DType dtype;
  std::int64_t rows;
  std::int64_t columns;
};

/// As fast as memory can be read: the groups of sixteen bytes of each tile, folded into a number
/// that nobody needs.
struct ReadRows {
  const std::byte* from;
  std::int64_t stride;  ///< elements
  DType dtype;
  std::int64_t rows;
  std::int64_t columns;
  std::uint32_t* folded;  ///< [rows, blocks_of(columns)]
};

class Kernels {
 public:
  virtual ~Kernels() = default;
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  virtual void check_ids(const CheckIds& call) = 0;
  virtual void sum_blocks(const SumBlocks& call) = 0;
  virtual void write_records(const WriteRecords& call) = 0;
  virtual void write_outputs(const WriteOutputs& call) = 0;
  virtual void add_results(const AddResults& call) = 0;

  virtual void find_maxima(const FindMaxima& call) = 0;
  virtual void write_maxima(const WriteMaxima& call) = 0;
  virtual void read_maxima(const ReadMaxima& call) = 0;
  virtual void sum_on_grid(const SumOnGrid& call) = 0;
  virtual void add_grid_blocks(const AddGridBlocks& call) = 0;
  virtual void write_grid_outputs(const WriteGridOutputs& call) = 0;

  virtual void find_coefficients(const FindCoefficients& call) = 0;
  virtual void write_gradient(const WriteGradient& call) = 0;

  virtual void copy_rows(const CopyRows& call) = 0;
  virtual void read_rows(const ReadRows& call) = 0;

 protected:
  Kernels() = default;
};

}  // namespace vparity::cuda
