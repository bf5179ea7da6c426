// Collective operations of the threads of a block.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "device/simt/block.h"
#include "device/simt/sanitizers.h"

namespace vparity::simt {
namespace {

bool same_place(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

std::string elsewhere(const Request& here, const std::string& who, const Request& other) {
  return fmt::format("{}: {} waits in {} at {}", here.collective->name, who, other.collective->name,
                     to_string(other.where));
}

}  // namespace

void Block::meet(Request& request) {
  if (abandoned_) throw Abandoned();
  if (request.collective->kind == Collective::block) {
    meet_block(request);
  } else {
    meet_lanes(request);
  }
}

void Block::meet_block(Request& request) {
  if (barrier_count_ == 0) first_at_barrier_ = running_;
  const Request& first = barrier_count_ == 0 ? request : *at_barrier_[first_at_barrier_];
  if (first.collective != request.collective || !same_place(first.where, request.where)) {
    const std::string who = to_string(threads_[first_at_barrier_].index);
    fail(request.where, elsewhere(request, "divergent barrier: thread " + who, first));
  }
  threads_[running_].request = at_barrier_[running_] = &request;
  if (++barrier_count_ < threads_.size()) return wait();
  barrier_count_ = 0;
  complete(*request.collective, at_barrier_, 0, &meetings_[0]);
}

void Block::meet_lanes(Request& request) {
  const unsigned lane = running_ % kWarp;
  if ((request.mask >> lane & 1) == 0) {
    fail(request.where, fmt::format("{}: mask {:#010x} does not name the calling lane, {}",
                                    request.collective->name, request.mask, lane));
  }
  unsigned& arrived = arrived_[running_ / kWarp];
  arrived |= 1U << lane;
  threads_[running_].request = &request;
  if ((arrived & request.mask) != request.mask) return wait();
  const Lanes lanes = lanes_of(request);
  // A lane that waits with another mask may arrive here later.
  for (const Request* other : lanes) {
    if (other != nullptr && other->mask != request.mask) return wait();
  }
  check_alike(request, lanes);
  if (request.collective->kind == Collective::shuffle) check_sources(lanes);
  arrived &= ~request.mask;
  const unsigned first = running_ - lane;
  complete(*request.collective, lanes, first,
           &meetings_[1 + first + static_cast<unsigned>(std::countr_zero(request.mask))]);
}

Block::Lanes Block::lanes_of(const Request& request) const {
  Lanes lanes{};
  const unsigned first = running_ / kWarp * kWarp;
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    if (request.mask >> lane & 1) lanes[lane] = threads_[first + lane].request;
  }
  return lanes;
}

void Block::check_alike(const Request& request, const Lanes& lanes) const {
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    const Request* other = lanes[lane];
    if (other == nullptr) continue;
    if (other->collective != request.collective ||
        (request.collective->kind != Collective::warp_barrier &&
         !same_place(other->where, request.where))) {
      fail(request.where, elsewhere(request, fmt::format("lane {}", lane), *other));
    }
  }
}

void Block::check_sources(const Lanes& lanes) const {
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    const Request* request = lanes[lane];
    if (request == nullptr || lanes[request->source] != nullptr) continue;
    const Thread& reader = threads_[running_ / kWarp * kWarp + lane];
    throw KernelFault(request->where, {index_, reader.index},
                      fmt::format("{}: reads lane {}, which mask {:#010x} does not name",
                                  request->collective->name, request->source, request->mask));
  }
}

void Block::complete(const Collective& collective, std::span<Request* const> requests,
                     unsigned first_thread, char* meeting) {
  if (collective.complete != nullptr) collective.complete(requests);
  if (collective.orders_memory()) order_for_sanitizer(requests, first_thread, meeting);
  for (unsigned i = 0; i < requests.size(); ++i) {
    if (requests[i] == nullptr) continue;
    threads_[first_thread + i].request = nullptr;
    ready_[first_thread + i] = 1;
  }
}

void Block::order_for_sanitizer([[maybe_unused]] std::span<Request* const> requests,
                                [[maybe_unused]] unsigned first_thread,
                                [[maybe_unused]] char* meeting) const {
#if defined(VPARITY_SIMT_TSAN)
  for (const auto step : {&sanitizers::release, &sanitizers::acquire}) {
    for (unsigned i = 0; i < requests.size(); ++i) {
      if (requests[i] == nullptr) continue;
      sanitizers::switch_to_thread(fiber(first_thread + i).sanitizer_thread());
      step(meeting);
    }
  }
  sanitizers::switch_to_thread(fiber(running_).sanitizer_thread());
#endif
}

}  // namespace vparity::simt
