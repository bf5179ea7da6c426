// Mode `gather`: the logits of all shards on every rank, then the full-vocabulary kernel.
#pragma once

#include <cstddef>
#include <vector>

#include "host/pipeline/forward_call.h"

namespace vparity {

/// Memory that is kept from chunk to chunk and from call to call. A new buffer would cost a page
/// fault for every page, which takes longer than to fill it.
class GatherBuffers {
 public:
  /// The next call of the same function overwrites the memory.
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
/// summed as the only shard of V columns, for every split, so that its bits depend on its values
/// alone.
FullRows gather_logits(const ForwardCall& call, RowRange rows, GatherBuffers& buffers);

}  // namespace vparity
