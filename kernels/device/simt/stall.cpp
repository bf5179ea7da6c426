#include "device/simt/stall.h"

#include <fmt/format.h>

#include <optional>

namespace vparity::simt {
namespace {

class Stall {
 public:
  Stall(std::span<const Thread> threads, language::uint3 block)
      : threads_(threads), block_(block) {}

  KernelFault explain() const {
    for (const auto reason : {&Stall::lane_that_cannot_come, &Stall::lane_with_another_mask,
                              &Stall::lane_elsewhere, &Stall::barrier_that_some_left}) {
      for (unsigned waiting = 0; waiting < threads_.size(); ++waiting) {
        if (threads_[waiting].request == nullptr) continue;
        if (const auto what = (this->*reason)(waiting)) return fault(waiting, *what);
      }
    }
    unsigned first = 0;
    while (threads_[first].request == nullptr) ++first;
    return fault(first, "deadlock");
  }

 private:
  using Reason = std::optional<std::string>;

  const Request* warp_request(unsigned thread) const {
    const Request* request = threads_[thread].request;
    return request != nullptr && request->collective->kind != Collective::block ? request : nullptr;
  }

  /// The first reason that `find` gives for a lane of the mask that `waiting` waits with.
  template <class Find>
  Reason first_lane(unsigned waiting, Find find) const {
    const Request* request = warp_request(waiting);
    if (request == nullptr) return {};
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      if ((request->mask >> lane & 1) == 0) continue;
      if (const auto reason = find(*request, lane, waiting / kWarp * kWarp + lane)) return reason;
    }
    return {};
  }

  Reason lane_that_cannot_come(unsigned waiting) const {
    return first_lane(waiting, [&](const Request& request, unsigned lane, unsigned thread) {
      if (thread >= threads_.size()) {
        return Reason(
            fmt::format("mask {:#010x} names lane {}, which does not exist", request.mask, lane));
      }
      if (!threads_[thread].exited) return Reason();
      return Reason(
          fmt::format("mask {:#010x} names lane {}, which has exited", request.mask, lane));
    });
  }

  Reason lane_with_another_mask(unsigned waiting) const {
    return first_lane(waiting, [&](const Request& request, unsigned lane, unsigned thread) {
      const Request* other = warp_request(thread);
      if (other == nullptr || other->mask == request.mask) return Reason();
      if ((other->mask >> waiting % kWarp & 1) == 0) return Reason();
      return Reason(fmt::format("mask {:#010x}, but lane {} waits with mask {:#010x} in {} at {}",
                                request.mask, lane, other->mask, other->collective->name,
                                to_string(other->where)));
    });
  }

  Reason lane_elsewhere(unsigned waiting) const {
    return first_lane(waiting, [&](const Request&, unsigned lane, unsigned thread) {
      const Request* other = threads_[thread].request;
      if (other == nullptr || other->collective->kind != Collective::block) return Reason();
      return Reason(fmt::format("lane {} waits in {} at {}", lane, other->collective->name,
                                to_string(other->where)));
    });
  }

  Reason barrier_that_some_left(unsigned waiting) const {
    if (threads_[waiting].request->collective->kind != Collective::block) return {};
    for (const Thread& other : threads_) {
      if (other.exited)
        return "divergent barrier: thread " + to_string(other.index) + " has exited";
    }
    return {};
  }

  KernelFault fault(unsigned waiting, const std::string& what) const {
    const Thread& thread = threads_[waiting];
    const Request& request = *thread.request;
    return {
        request.where, {block_, thread.index}, std::string(request.collective->name) + ": " + what};
  }

  std::span<const Thread> threads_;
  language::uint3 block_;
};

}  // namespace

KernelFault explain_stall(std::span<const Thread> threads, language::uint3 block) {
  return Stall(threads, block).explain();
}

}  // namespace vparity::simt
