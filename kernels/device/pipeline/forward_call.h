// What the parts of one forward call on a device share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "call/row_range.h"
#include "device/kernels/kernels.h"
#include "row/sums.h"
#include "vparity/device_buffer.h"
#include "vparity/device_communicator.h"
#include "vparity/options.h"
#include "vparity/placement.h"
#include "vparity/vocabulary_split.h"

namespace vparity::cuda {

/// Device memory that is kept from call to call.
struct ForwardBuffers {
  explicit ForwardBuffers(Device& device)
      : shard_ends(device),
        blocks(device),
        own(device),
        gathered(device),
        maxima(device),
        targets(device),
        packed_logits(device),
        gathered_logits(device),
        full_logits(device) {}

  DeviceBuffer shard_ends;  ///< per rank the column after its last one; then V
  DeviceBuffer blocks, own, gathered;
  DeviceBuffer maxima, targets;                              ///< of mode reproducible
  DeviceBuffer packed_logits, gathered_logits, full_logits;  ///< of mode gather
};

struct ForwardCall {
  Kernels& kernels;
  DeviceCommunicator& tp;
  const VocabularySplit& split;
  const Options& options;
  const VocabShard& logits;
  const TokenIds& ids;
  ForwardBuffers& buffers;

  Transform transform() const { return transform_of(options); }
  bool with_smoothing() const { return options.label_smoothing > 0; }
  int ranks() const { return tp.size(); }

  /// The ids of some rows and the columns of this rank.
  Targets targets(RowRange rows) const;

  /// The shard ends of all ranks, or of a single shard of V columns if `exchanged_with` is 1.
  const std::int64_t* shard_ends(int exchanged_with) const;

  /// Collective over `tp`: `bytes` of every rank, in rank order.
  const std::byte* all_gather(const std::byte* own, std::size_t bytes) const;
};

DeviceIds device_ids(const TokenIds& ids);
Logits device_logits(const VocabShard& shard);

/// A number of elements as the size of a buffer.
inline std::size_t count(std::int64_t elements) { return static_cast<std::size_t>(elements); }

}  // namespace vparity::cuda
