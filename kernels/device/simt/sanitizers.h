// Tells AddressSanitizer and ThreadSanitizer about stacks that are switched by hand. Without them
// every function here is empty.
#pragma once

#include <cstddef>

#if defined(VPARITY_SIMT_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(VPARITY_SIMT_TSAN)
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace vparity::simt::sanitizers {

#if defined(VPARITY_SIMT_ASAN)
inline void start_switch(void** fake_stack, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fake_stack, bottom, size);
}
inline void finish_switch(void* fake_stack, const void** old_bottom, std::size_t* old_size) {
  __sanitizer_finish_switch_fiber(fake_stack, old_bottom, old_size);
}
#else
inline void start_switch(void**, const void*, std::size_t) {}
inline void finish_switch(void*, const void**, std::size_t*) {}
#endif

// For ThreadSanitizer each fiber is a thread, and a switch to it orders nothing. But the blocks
// that run on one fiber are ordered, and new fibers are expensive. So blocks take two sets of
// fibers in turn: a race between two blocks is seen if one has an even and the other an odd number.
#if defined(VPARITY_SIMT_TSAN)
inline constexpr std::size_t kFiberSets = 2;
inline void* current_thread() { return __tsan_get_current_fiber(); }
inline void* create_thread() { return __tsan_create_fiber(0); }
inline void destroy_thread(void* thread) { __tsan_destroy_fiber(thread); }
inline void switch_to_thread(void* thread) {
  __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
}
inline void release(void* object) { __tsan_release(object); }
inline void acquire(void* object) { __tsan_acquire(object); }

/// Accesses during its lifetime are ignored: the runtime manages memory here, as a driver would.
class Unseen {
 public:
  Unseen() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~Unseen() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
};
#else
inline constexpr std::size_t kFiberSets = 1;
inline void* current_thread() { return nullptr; }
inline void* create_thread() { return nullptr; }
inline void destroy_thread(void*) {}
inline void switch_to_thread(void*) {}
inline void release(void*) {}
inline void acquire(void*) {}

struct Unseen {
  Unseen() {}
  ~Unseen() {}
};
#endif

}  // namespace vparity::simt::sanitizers
