#include "cuda/simt/fiber.h"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <new>

#include "cuda/simt/sanitizers.h"

namespace vparity::simt {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t kPage = 4096;
// Reserved, not used: a kernel touches a page or two. The reports of the sanitizers need more.
constexpr std::size_t kStack = 256 * 1024;

std::byte* allocate_stack() {
  const sanitizers::Unseen unseen;
  void* memory = mmap(nullptr, kPage + kStack, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, kPage, PROT_NONE);
  return static_cast<std::byte*>(memory);
}

// Tops at equal addresses modulo a page would all fall into the same few sets of a cache.
std::size_t next_colour() {
  thread_local std::size_t count = 0;
  return count++ % 16 * 192;
}

}  // namespace

struct Fiber::Start {
  static void run(context::transfer_t from) {
    auto& fiber = *static_cast<Fiber*>(from.data);
    fiber.caller_ = from.fctx;
    sanitizers::finish_switch(nullptr, &fiber.caller_bottom_, &fiber.caller_size_);
    fiber.entry_();
  }
};

Fiber::Fiber(void (*entry)())
    : memory_(allocate_stack()),
      context_(context::make_fcontext(memory_ + kPage + kStack - next_colour(), kStack / 2,
                                      &Start::run)),
      entry_(entry),
      sanitizer_thread_(sanitizers::create_thread()) {}

Fiber::~Fiber() {
  sanitizers::destroy_thread(sanitizer_thread_);
  munmap(memory_, kPage + kStack);
}

void Fiber::resume() {
  void* fake_stack = nullptr;
  caller_thread_ = sanitizers::current_thread();
  sanitizers::start_switch(&fake_stack, memory_ + kPage, kStack);
  sanitizers::switch_to_thread(sanitizer_thread_);
  context_ = context::jump_fcontext(context_, this).fctx;
  sanitizers::finish_switch(fake_stack, nullptr, nullptr);
}

void Fiber::suspend() {
  sanitizers::start_switch(&fake_stack_, caller_bottom_, caller_size_);
  sanitizers::switch_to_thread(caller_thread_);
  caller_ = context::jump_fcontext(caller_, nullptr).fctx;
  sanitizers::finish_switch(fake_stack_, &caller_bottom_, &caller_size_);
}

}  // namespace vparity::simt
