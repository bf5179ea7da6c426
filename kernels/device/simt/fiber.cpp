#include "device/simt/fiber.h"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <new>

#include "device/simt/sanitizers.h"
#if defined(VPARITY_SIMT_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace vparity::simt {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t kPage = 4096;
// Address space; a kernel touches a page or two. The reports of the sanitizers need more.
constexpr std::size_t kStack = 256 * 1024;

// The last frames of an ended fiber stay poisoned. The next mapping at these addresses would
// inherit that.
void forget_frames(std::byte* stack) {
#if defined(VPARITY_SIMT_ASAN)
  __asan_unpoison_memory_region(stack, kPage + kStack);
#else
  static_cast<void>(stack);
#endif
}

std::byte* allocate_stack() {
  const sanitizers::Unseen unseen;
  void* memory = mmap(nullptr, kPage + kStack, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  mprotect(memory, kPage, PROT_NONE);
  return static_cast<std::byte*>(memory);
}

// Stack tops at equal addresses modulo a page would all map to the same few sets of a cache.
std::size_t next_colour() {
  thread_local std::size_t count = 0;
  return count++ % 16 * 192;
}

}  // namespace

/// A switch from one fiber to another.
struct Fiber::Passage {
  Fiber& from;
  Fiber& to;

  /// The first call on the stack of `to`.
  static Fiber& arrive(context::transfer_t transfer) {
    const Passage& passage = *static_cast<const Passage*>(transfer.data);
    Fiber& here = passage.to;
    passage.from.context_ = transfer.fctx;
    sanitizers::finish_switch(here.fake_stack_, &passage.from.bottom_, &passage.from.size_);
    return here;
  }
  static void begin(context::transfer_t transfer) { arrive(transfer).entry_(); }
};

Fiber::Fiber() : sanitizer_thread_(sanitizers::current_thread()) {}

Fiber::Fiber(void (*entry)())
    : memory_(allocate_stack()),
      context_(context::make_fcontext(memory_ + kPage + kStack - next_colour(), kStack / 2,
                                      &Passage::begin)),
      entry_(entry),
      bottom_(memory_ + kPage),
      size_(kStack),
      sanitizer_thread_(sanitizers::create_thread()) {}

Fiber::~Fiber() {
  if (memory_ == nullptr) return;
  sanitizers::destroy_thread(sanitizer_thread_);
  forget_frames(memory_);
  munmap(memory_, kPage + kStack);
}

void Fiber::go_to(Fiber& other) {
  Passage passage{*this, other};
  sanitizers::start_switch(&fake_stack_, other.bottom_, other.size_);
  sanitizers::switch_to_thread(other.sanitizer_thread_);
  Passage::arrive(context::jump_fcontext(other.context_, &passage));
}

}  // namespace vparity::simt
