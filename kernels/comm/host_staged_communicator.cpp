#include "vparity/host_staged_communicator.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "vparity/errors.h"

namespace vparity {
namespace {

/// The first `size` bytes of `memory`, which grows if it is smaller.
std::span<std::byte> first_of(std::vector<std::byte>& memory, std::size_t size) {
  if (memory.size() < size) memory.resize(size);
  return std::span(memory).first(size);
}

class HostStagedCommunicator final : public DeviceCommunicator {
 public:
  HostStagedCommunicator(Communicator& group, Device& device) : group_(group), device_(device) {}

  int rank() const override { return group_.rank(); }
  int size() const override { return group_.size(); }
  std::string_view transport() const override { return "host-staged"; }

  void all_gather(const std::byte* send, std::byte* receive,
                  std::span<const std::size_t> sizes) override {
    const std::size_t own = own_size(sizes);
    if (size() == 1) {
      if (own > 0) device_.copy(receive, send, own);
      return;
    }
    const auto contribution = first_of(sent_, own);
    const auto all =
        first_of(received_, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    if (own > 0) {
      device_.copy_out(contribution.data(), send, own);
      device_.wait();
    }
    group_.all_gather(contribution, all, sizes);
    if (!all.empty()) device_.copy_in(receive, all.data(), all.size());
  }

  void wait() override { device_.wait(); }

 private:
  std::size_t own_size(std::span<const std::size_t> sizes) const {
    if (sizes.size() == static_cast<std::size_t>(size()))
      return sizes[static_cast<std::size_t>(rank())];
    throw ArgumentError(fmt::format("all_gather on rank {}: {} sizes are given for {} ranks",
                                    rank(), sizes.size(), size()));
  }

  Communicator& group_;
  Device& device_;
  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
};

}  // namespace

std::unique_ptr<DeviceCommunicator> make_host_staged_communicator(Communicator& group,
                                                                  Device& device) {
  return std::make_unique<HostStagedCommunicator>(group, device);
}

}  // namespace vparity
