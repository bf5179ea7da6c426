#include "harness/rank/worker/watched_communicator.h"

#include <utility>

namespace vparity::harness {
namespace {

class InCollective {
 public:
  explicit InCollective(RankStateWriter& state) : state_(state) { state_.enter_collective(); }
  ~InCollective() { state_.leave_collective(); }
  InCollective(const InCollective&) = delete;
  InCollective& operator=(const InCollective&) = delete;

 private:
  RankStateWriter& state_;
};

}  // namespace

void WatchedCommunicator::barrier() {
  const InCollective now(state_);
  inner_.barrier();
}

std::unique_ptr<Communicator> WatchedCommunicator::split(int color, int key) {
  const InCollective now(state_);
  return std::make_unique<WatchedCommunicator>(inner_.split(color, key), state_, abort_);
}

void WatchedCommunicator::do_all_gather(std::span<const std::byte> send,
                                        std::span<std::byte> receive,
                                        std::span<const std::size_t> sizes) {
  const InCollective now(state_);
  inner_.all_gather(send, receive, sizes);
}

}  // namespace vparity::harness
