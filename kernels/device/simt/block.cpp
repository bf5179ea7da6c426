#include "device/simt/block.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "device/simt/builtins.h"
#include "device/simt/collectives.h"
#include "device/simt/memory_access.h"
#include "device/simt/sanitizers.h"
#include "device/simt/shared_memory.h"

namespace vparity::simt {

thread_local constinit Block* running_block = nullptr;

namespace {

/// The fibers of this CPU thread. Blocks take the sets in turn.
thread_local std::array<std::vector<std::unique_ptr<Fiber>>, sanitizers::kFiberSets> fiber_sets;

void run_threads() {
  for (;;) running_block->run_thread();
}

language::uint3 index_of(unsigned thread, dim3 shape) {
  return {thread % shape.x, thread / shape.x % shape.y, thread / shape.x / shape.y};
}

}  // namespace

Block::Block(dim3 shape, detail::Body body)
    : body_(body),
      threads_(shape.x * shape.y * shape.z),
      ready_(threads_.size()),
      arrived_((threads_.size() + kWarp - 1) / kWarp),
      at_barrier_(threads_.size()) {
  for (unsigned i = 0; i < threads_.size(); ++i) threads_[i].index = index_of(i, shape);
  sanitizers::release(&begin_);
}

Block::~Block() { sanitizers::acquire(&end_); }

void Block::run(language::uint3 index, std::span<const unsigned> order) {
  start(index);
  order_ = order;
  position_ = order.size() - 1;
  host_.go_to(next());
  if (!failure_ && exited_ < threads_.size()) {
    failure_ = std::make_exception_ptr(explain_stall(threads_, index_));
  }
  abandon();
  shared_.clear();
  if (failure_) std::rethrow_exception(failure_);
}

void Block::start(language::uint3 index) {
  index_ = language::blockIdx = index;
  exited_ = 0;
  for (Thread& thread : threads_) thread.begun = thread.exited = false;
  std::fill(ready_.begin(), ready_.end(), 1);
  fibers_ = &fiber_sets[blocks_started_++ % fiber_sets.size()];
  while (fibers_->size() < threads_.size()) {
    fibers_->push_back(std::make_unique<Fiber>(&run_threads));
  }
  const sanitizers::Unseen unseen;
  meetings_ = std::make_unique<char[]>(1 + threads_.size() + kWarp);
}

Fiber& Block::next() {
  if (failure_ || exited_ == threads_.size()) return host_;
  for (std::size_t tried = 0; tried < order_.size(); ++tried) {
    if (++position_ == order_.size()) position_ = 0;
    if (ready_[order_[position_]]) return take_over(order_[position_]);
  }
  return host_;
}

Fiber& Block::take_over(unsigned thread) {
  running_ = thread;
  language::threadIdx = threads_[thread].index;
  return fiber(thread);
}

void Block::abandon() {
  if (!failure_) return;
  abandoned_ = true;
  for (unsigned i = 0; i < threads_.size(); ++i) {
    if (threads_[i].begun && !threads_[i].exited) host_.go_to(take_over(i));
  }
}

void Block::run_thread() {
  const unsigned self = running_;
  threads_[self].begun = true;
  sanitizers::acquire(&begin_);
  try {
    body_.call(body_.object);
  } catch (const Abandoned&) {
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  sanitizers::release(&end_);
  threads_[self].request = nullptr;
  threads_[self].exited = true;
  ready_[self] = 0;
  ++exited_;
  fiber(self).go_to(next());
}

void Block::fail(const std::source_location& where, const std::string& what) const {
  throw KernelFault(where, {index_, threads_[running_].index}, what);
}

void Block::fence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  sanitizers::release(&fence_);
  sanitizers::acquire(&fence_);
}

void Block::wait() {
  const unsigned self = running_;
  ready_[self] = 0;
  fiber(self).go_to(next());
  if (abandoned_) throw Abandoned();
}

Block& running() {
  if (running_block == nullptr)
    throw std::logic_error("a CUDA function was called outside of simt::launch()");
  return *running_block;
}

void meet(Request& request) { running().meet(request); }

void* shared_memory(const void* declaration, std::size_t bytes, std::size_t alignment) {
  return running().shared().find(declaration, bytes, alignment);
}

void detail::fence() { running().fence(); }

void detail::trap(const std::source_location& where) { running().fail(where, "__trap"); }

void detail::check_width(const Collective& collective, int width, const Place& where) {
  if (width == static_cast<int>(kWarp)) return;
  running().fail(where, std::string(collective.name) + ": width " + std::to_string(width) +
                            ", but only 32 is supported");
}

}  // namespace vparity::simt
