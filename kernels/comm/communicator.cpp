#include "vparity/communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "vparity/errors.h"

namespace vparity {

void Communicator::all_gather(std::span<const std::byte> send, std::span<std::byte> receive,
                              std::span<const std::size_t> sizes) {
  const auto own = static_cast<std::size_t>(rank());
  if (sizes.size() != static_cast<std::size_t>(size()) || sizes[own] != send.size()) {
    throw ArgumentError(fmt::format(
        "all_gather on rank {}: {} sizes are given for {} ranks, or the own one is not the {} "
        "bytes sent",
        own, sizes.size(), size(), send.size()));
  }
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  if (total != receive.size()) {
    throw ArgumentError(fmt::format(
        "all_gather on rank {}: the contributions have {} bytes, the receive buffer has {}", own,
        total, receive.size()));
  }
  if (size() == 1) {
    std::ranges::copy(send, receive.begin());
  } else {
    do_all_gather(send, receive, sizes);
  }
  ++counters_.collectives;
  counters_.bytes_sent += static_cast<std::int64_t>(send.size());
  counters_.bytes_received += static_cast<std::int64_t>(total - send.size());
}

void Communicator::all_gather(std::span<const std::byte> send, std::span<std::byte> receive) {
  const std::vector<std::size_t> sizes(static_cast<std::size_t>(size()), send.size());
  all_gather(send, receive, sizes);
}

}  // namespace vparity
