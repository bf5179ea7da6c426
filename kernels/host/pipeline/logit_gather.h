// Mode `gather`: the logits of all shards on every rank, then the full-vocabulary kernel.
#pragma once

#include <cstddef>
#include <vector>

#include "host/pipeline/forward_call.h"

namespace vparity {

/// Memory that is kept from chunk to chunk and from call to call: that of a new buffer costs a
/// fault for every page, which takes longer than to fill it.
class GatherBuffers {
 public:
  /// Overwritten by the next call with the same purpose.
  std::span<std::byte> own(std::size_t bytes) { return of_size(own_, bytes); }
  std::span<std::byte> gathered(std::size_t bytes) { return of_size(gathered_, bytes); }

 private:
  static std::span<std::byte> of_size(std::vector<std::byte>& buffer, std::size_t bytes) {
    if (buffer.size() < bytes) {
      buffer = {};  // what it held is not copied
      buffer.resize(bytes);
    }
    return {buffer.data(), bytes};
  }

  std::vector<std::byte> own_, gathered_;
};

/// Collective over `tp`: one all-gather of the rows' logits without their padding. Each row is
/// summed as the only shard of V columns, whatever the split was, so that its bits depend on
/// nothing but its values.
FullRows gather_logits(const ForwardCall& call, RowRange rows, GatherBuffers& buffers);

}  // namespace vparity
