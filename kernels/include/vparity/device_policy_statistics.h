// PolicyStatistics for logits in a device's memory.
#pragma once

#include <cstdint>
#include <memory>

#include "vparity/communicator.h"
#include "vparity/device.h"
#include "vparity/device_buffer.h"
#include "vparity/device_communicator.h"
#include "vparity/options.h"
#include "vparity/placement.h"
#include "vparity/policy_statistics.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

/// What `backward` needs from `forward` besides the logits, in the device's memory: at most four
/// floats per row.
struct DeviceSavedStatistics {
  explicit DeviceSavedStatistics(Device& device) : floats(device) {}

  DeviceBuffer floats;  ///< F, s - 1, H and, with label smoothing, n: [rows] each
  std::int64_t rows = 0;
  std::int64_t global_valid_tokens = 0;
};

/// PolicyStatistics with one device per rank. Logits, ids, outputs, upstream gradients and the
/// gradient are addresses of that device, with elements aligned to their size. Shapes, errors and
/// results are those of PolicyStatistics. Work is enqueued on the device's stream: `backward`
/// returns before it is done; `forward` waits once, for the sums over all rows.
class DevicePolicyStatistics {
 public:
  /// Collective over both groups. `tp` has the ranks of groups.tp in their order. Groups, `tp` and
  /// `device` are not owned and outlive the object. Throws ArgumentError as PolicyStatistics does,
  /// and for a device that make_cuda_device() did not make.
  DevicePolicyStatistics(ProcessGroups groups, DeviceCommunicator& tp, Device& device,
                         const ShardColumns& own, std::int64_t vocab, const Options& options);
  ~DevicePolicyStatistics();

  /// Collective over both groups. One read of the logits and one all-gather over `tp` per chunk
  /// (mode `reproducible`: two of each), then a small all-gather over groups.dp. An id outside
  /// [0, V) that is not ignored makes its row NaN. LabelError is then thrown on every rank of the
  /// job once all rows are done.
  GlobalResults forward(const VocabShard& logits, const TokenIds& ids, const StatisticsViews& out,
                        DeviceSavedStatistics* saved = nullptr);

  /// Local, no collective. One read of the logits and one write of the gradient, in place if they
  /// share memory.
  void backward(const VocabShard& logits, const TokenIds& ids, const DeviceSavedStatistics& saved,
                const UpstreamGradients& upstream, const MutableVocabShard& gradient);

  const VocabularySplit& split() const;

 private:
  class Forward;
  struct Workspace;

  ProcessGroups groups_;
  DeviceCommunicator& tp_;
  Device& device_;
  Options options_;
  VocabularySplit split_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace vparity
