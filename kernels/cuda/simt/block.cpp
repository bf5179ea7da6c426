#include "cuda/simt/block.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "cuda/simt/collectives.h"
#include "cuda/simt/indices.h"
#include "cuda/simt/memory_access.h"
#include "cuda/simt/sanitizers.h"
#include "cuda/simt/shared_memory.h"

namespace vparity::simt {

thread_local constinit Block* running_block = nullptr;

namespace {

/// Unwinds a thread that waits when its block has failed.
struct Abandoned {};

/// The fibers of this CPU thread, used again by every block.
thread_local std::vector<std::unique_ptr<Fiber>> fibers;

void run_threads() {
  for (;;) running_block->run_thread();
}

language::uint3 index_of(unsigned thread, dim3 shape) {
  return {thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y};
}

bool same_place(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

std::string elsewhere(const Request& here, const std::string& who, const Request& other) {
  return std::string(here.collective->name) + ": " + who + " waits in " + other.collective->name +
         " at " + to_string(other.where);
}

}  // namespace

/// An allocation of its own per declaration, so that AddressSanitizer sees its ends.
struct Block::SharedArray {
  SharedArray(const void* in_site, std::size_t bytes, std::align_val_t in_alignment)
      : site(in_site), alignment(in_alignment), memory(::operator new(bytes, alignment)) {
    std::memset(memory, 0xFF, bytes);
  }
  SharedArray(SharedArray&& other) noexcept
      : site(other.site),
        alignment(other.alignment),
        memory(std::exchange(other.memory, nullptr)) {}
  ~SharedArray() { ::operator delete(memory, alignment); }

  const void* site;
  std::align_val_t alignment;
  void* memory;
};

Block::Block(dim3 shape, detail::Body body)
    : body_(body),
      threads_(shape.x * shape.y * shape.z),
      ready_(threads_.size()),
      arrived_((threads_.size() + kWarp - 1) / kWarp),
      at_barrier_(threads_.size()) {
  for (unsigned i = 0; i < threads_.size(); ++i) threads_[i].index = index_of(i, shape);
  while (fibers.size() < threads_.size()) {
    fibers.push_back(std::make_unique<Fiber>(&run_threads));
  }
}

Block::~Block() { sanitizers::acquire(this); }

void Block::run(language::uint3 index, std::span<const unsigned> order) {
  start(index);
  while (exited_ < threads_.size() && !failure_) {
    bool stalled = true;
    for (const unsigned thread : order) {
      if (!ready_[thread]) continue;
      stalled = false;
      resume(thread);
      if (failure_) break;
    }
    if (stalled) failure_ = std::make_exception_ptr(explain_stall(threads_, index_));
  }
  abandon();
  finish();
  if (failure_) std::rethrow_exception(failure_);
}

void Block::start(language::uint3 index) {
  index_ = language::blockIdx = index;
  exited_ = 0;
  for (unsigned i = 0; i < threads_.size(); ++i) {
    threads_[i].exited = false;
    fibers[i]->sanitizer_thread = sanitizers::create_thread();
  }
  std::fill(ready_.begin(), ready_.end(), 1);
  const sanitizers::Unseen unseen;
  meetings_ = std::make_unique<char[]>(1 + threads_.size() + kWarp);
}

void Block::resume(unsigned thread) {
  running_ = thread;
  language::threadIdx = threads_[thread].index;
  fibers[thread]->resume();
}

void Block::finish() noexcept {
  const sanitizers::Unseen unseen;
  shared_.clear();
  for (unsigned i = 0; i < threads_.size(); ++i) {
    sanitizers::destroy_thread(fibers[i]->sanitizer_thread);
  }
}

void Block::abandon() {
  abandoned_ = true;
  for (unsigned i = 0; i < threads_.size(); ++i) {
    if (threads_[i].request != nullptr) resume(i);
  }
  abandoned_ = false;
}

void Block::run_thread() {
  const unsigned self = running_;
  try {
    body_.call(body_.object);
  } catch (const Abandoned&) {
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  sanitizers::release(this);  // the launch's end comes after everything
  threads_[self].request = nullptr;
  threads_[self].exited = true;
  ready_[self] = 0;
  ++exited_;
  fibers[self]->suspend();
}

void Block::fail(const std::source_location& where, const std::string& what) const {
  throw KernelFault(where, {index_, threads_[running_].index}, what);
}

void* Block::shared_memory(const void* site, std::size_t bytes, std::size_t alignment) {
  for (const SharedArray& array : shared_) {
    if (array.site == site) return array.memory;
  }
  const sanitizers::Unseen unseen;
  return shared_.emplace_back(site, bytes, std::align_val_t(alignment)).memory;
}

void Block::fence() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  sanitizers::release(&body_);
  sanitizers::acquire(&body_);
}

void Block::meet(Request& request) {
  if (abandoned_) throw Abandoned();
  if (request.collective->kind == Collective::block) {
    meet_block(request);
  } else {
    meet_lanes(request);
  }
}

void Block::meet_block(Request& request) {
  if (barrier_count_ == 0) first_at_barrier_ = &request;
  const Request& first = *first_at_barrier_;
  if (first.collective != request.collective || !same_place(first.where, request.where)) {
    fail(request.where, elsewhere(request, "divergent barrier: another thread", first));
  }
  threads_[running_].request = at_barrier_[running_] = &request;
  if (++barrier_count_ < threads_.size()) return wait();
  barrier_count_ = 0;
  complete(*request.collective, at_barrier_, 0, &meetings_[0]);
}

void Block::meet_lanes(Request& request) {
  const unsigned lane = running_ % kWarp;
  if ((request.mask >> lane & 1) == 0) {
    fail(request.where, std::string(request.collective->name) +
                            ": the mask does not name the lane " + std::to_string(lane) +
                            " that calls");
  }
  unsigned& arrived = arrived_[running_ / kWarp];
  arrived |= 1U << lane;
  threads_[running_].request = &request;
  if ((arrived & request.mask) != request.mask) return wait();
  const Lanes lanes = lanes_of(request);
  // One that waits with another mask may come here later.
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
    if (other->collective != request.collective || (request.collective->kind != Collective::lanes &&
                                                    !same_place(other->where, request.where))) {
      fail(request.where, elsewhere(request, "lane " + std::to_string(lane), *other));
    }
  }
}

void Block::check_sources(const Lanes& lanes) const {
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    const Request* request = lanes[lane];
    if (request == nullptr || lanes[request->source] != nullptr) continue;
    const Thread& reader = threads_[running_ / kWarp * kWarp + lane];
    throw KernelFault(request->where, {index_, reader.index},
                      std::string(request->collective->name) + ": lane " + std::to_string(lane) +
                          " reads lane " + std::to_string(request->source) +
                          ", which the mask does not name");
  }
}

void Block::complete(const Collective& collective, std::span<Request* const> requests,
                     unsigned first_thread, char* meeting) {
  if (collective.complete != nullptr) collective.complete(requests);
  order_for_sanitizer(requests, first_thread, meeting);
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
      sanitizers::switch_to_thread(fibers[first_thread + i]->sanitizer_thread);
      step(meeting);
    }
  }
  sanitizers::switch_to_thread(fibers[running_]->sanitizer_thread);
#endif
}

void Block::wait() {
  const unsigned self = running_;
  ready_[self] = 0;
  fibers[self]->suspend();
  if (abandoned_) throw Abandoned();
}

void meet(Request& request) { running_block->meet(request); }

void detail::check_width(const Collective& collective, int width, const Place& where) {
  if (width == static_cast<int>(kWarp)) return;
  running_block->fail(where, std::string(collective.name) + ": width " + std::to_string(width) +
                                 ", but only 32 is supported");
}

void detail::trap(const std::source_location& where) { running_block->fail(where, "__trap"); }

void detail::fence() { running_block->fence(); }

void* shared_memory(const void* site, std::size_t bytes, std::size_t alignment) {
  return running_block->shared_memory(site, bytes, alignment);
}

}  // namespace vparity::simt
