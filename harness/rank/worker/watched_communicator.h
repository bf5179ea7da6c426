// A rank's communicator whose collectives can be seen from outside
// (harness/case/protocol/rank_states.h).
#pragma once

#include <functional>
#include <memory>

#include "harness/case/protocol/rank_states.h"
#include "vparity/communicator.h"

namespace vparity::harness {

/// Ends the job of which `group` is a part; may be called by any thread.
using AbortJob = std::function<void(Communicator& group, const char* reason)>;

/// Passes everything on; so do the groups that are split from it. `state` and `abort` are borrowed.
class WatchedCommunicator final : public Communicator {
 public:
  /// `inner` is borrowed.
  WatchedCommunicator(Communicator& inner, RankStateWriter& state, const AbortJob& abort)
      : inner_(inner), state_(state), abort_(abort) {}
  WatchedCommunicator(std::unique_ptr<Communicator> inner, RankStateWriter& state,
                      const AbortJob& abort)
      : owned_(std::move(inner)), inner_(*owned_), state_(state), abort_(abort) {}

  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  void barrier() override;
  std::unique_ptr<Communicator> split(int color, int key) override;
  void abort(const char* reason) noexcept override { abort_(inner_, reason); }

 private:
  void do_all_gather(std::span<const std::byte> send, std::span<std::byte> receive,
                     std::span<const std::size_t> sizes) override;

  std::unique_ptr<Communicator> owned_;
  Communicator& inner_;
  RankStateWriter& state_;
  const AbortJob& abort_;
};

}  // namespace vparity::harness
