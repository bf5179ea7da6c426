// The kernels of a device: one struct of arguments and one call each. All addresses are device
// addresses; every call is enqueued. Numbers are those of semantics 2 to 6 (docs/semantics.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "reproducible/exact_reductions.h"
#include "reproducible/host_device.h"
#include "row/exchange_records.h"
#include "row/gradient.h"
#include "row/sums.h"
#include "vparity/device.h"
#include "vparity/dtype.h"
#include "vparity/errors.h"
#include "vparity/options.h"
#include "vparity/policy_statistics.h"
#include "vparity/vocabulary_split.h"

namespace vparity::cuda {

/// A row is summed in blocks of this many columns, each by one thread block; the last block may
/// have fewer columns. So the bits of a row depend on the shard's width, not on the number of rows.
inline constexpr std::int64_t block_columns = 32768;

/// Blocks of a row: at least one, so that a row without columns has sums too.
inline constexpr std::int64_t blocks_of(std::int64_t columns) {
  return columns <= block_columns ? 1 : (columns + block_columns - 1) / block_columns;
}

/// Token ids [T, K] in device memory, 64-bit or 32-bit; strides in elements.
struct DeviceIds {
  const void* data;
  bool wide;  ///< 64-bit
  int count;  ///< K
  std::int64_t row_stride;
  std::int64_t column_stride;

  VPARITY_HOST_DEVICE int columns() const { return count; }
  VPARITY_HOST_DEVICE std::int64_t operator()(std::int64_t row, int k) const {
    const std::int64_t at = row * row_stride + k * column_stride;
    return wide ? static_cast<const std::int64_t*>(data)[at]
                : static_cast<const std::int32_t*>(data)[at];
  }
};

/// Rows of logits; the first `columns` of each are valid.
struct Logits {
  const std::byte* data;
  DType dtype;
  std::int64_t rows;
  std::int64_t row_stride;  ///< elements
  std::int64_t columns;
};

/// The gradient of rows of logits; columns [logits.columns, width) get +0.
struct Gradient {
  std::byte* data;
  DType dtype;
  std::int64_t row_stride;
  std::int64_t width;
};

/// The ids of the rows, and the columns of this shard.
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

/// Merges the blocks of a row and adds f(x) at the ids of this shard: the message to the other
/// ranks.
struct WriteRecords {
  Logits logits;
  Transform transform;
  const Partial<RowSums>* blocks;
  Targets targets;
  SumRecords<std::byte> records;
};

/// The contribution of a row to the data-parallel sums.
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

/// Destinations of the results of rows.
struct RowOutputs {
  StatisticsViews out;  ///< in device memory
  SavedRows saved;
  RowResult* results;
};

/// Merges the records of `ranks` ranks in rank order and writes the outputs.
struct WriteOutputs {
  SumRecords<const std::byte> records;  ///< of rank 0; see SumRecords::of_rank
  int ranks;
  const std::int64_t* shard_ends;  ///< per rank, the column after its last one
  Targets targets;
  Options options;
  std::int64_t rows;
  RowOutputs outputs;
};

/// Sums over the rows of one data-parallel rank, over all chunks.
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

/// Mode `reproducible`: the largest stored logit of each block.
struct FindMaxima {
  Logits logits;
  reproducible::OrderKey* blocks;
};

/// The first message: a row's maximum in this shard, and f(x) at the ids of this shard.
struct WriteMaxima {
  Logits logits;
  Transform transform;
  const reproducible::OrderKey* blocks;
  Targets targets;
  MaximumRecords<std::byte> records;
};

/// From the messages of all ranks: F of each row, NaN also for +inf; targets [rows, K], 0 for an
/// ignored id.
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

/// Adds the blocks of a row: the second message.
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

/// The coefficients of a row for the pass over its logits.
struct RowCoefficients {
  RowGradient::Kind kind;
  bool plain;
  float max;
  ScaledCoefficients scaled;
};

/// The gradient at a target, rounded to fp32. Column -1: no target.
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

/// Mode `gather`: copies rows between places with the same element type.
struct CopyRows {
  const std::byte* from;
  std::int64_t from_stride;  ///< elements
  std::byte* to;
  std::int64_t to_stride;
  DType dtype;
  std::int64_t rows;
  std::int64_t columns;
};

/// Reads memory as fast as possible: the 16-byte groups of each tile are folded into one number,
/// which is not used.
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

/// A Device that runs the kernels. The installed Device is memory and a queue: that is all that a
/// communicator and the owner of the buffers need, and so the kernels' calls may change without a
/// change of the installed headers. The devices that the library makes are KernelDevices. A known
/// bug of a kernel is a KernelDevice whose Kernels have one call replaced
/// (device/simulated/simulated_device.h).
class KernelDevice : public Device {
 public:
  /// Calls are enqueued on the device's queue.
  virtual Kernels& kernels() = 0;
};

/// Throws ArgumentError if the library did not make the device.
inline Kernels& kernels_of(Device& device) {
  if (auto* const with_kernels = dynamic_cast<KernelDevice*>(&device); with_kernels != nullptr)
    return with_kernels->kernels();
  throw ArgumentError("this Device has no kernels: use one that make_cuda_device() returned");
}

}  // namespace vparity::cuda
