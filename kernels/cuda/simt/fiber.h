// A stack of its own that code runs on until it waits.
#pragma once

#include <cstddef>

namespace vparity::simt {

class Fiber {
 public:
  /// `entry` runs on the fiber at the first resume() and never returns.
  explicit Fiber(void (*entry)());
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Runs the fiber from where it stopped, until it suspends.
  void resume();
  /// Called on the fiber: goes back to whoever resumed it.
  void suspend();

  /// ThreadSanitizer's name of the CUDA thread.
  void* sanitizer_thread() const { return sanitizer_thread_; }

 private:
  struct Start;

  std::byte* memory_;  // a guard page, then the stack
  void* context_;
  void (*entry_)();
  void* caller_ = nullptr;
  // What the sanitizers keep of the side that does not run.
  void* fake_stack_ = nullptr;
  const void* caller_bottom_ = nullptr;
  std::size_t caller_size_ = 0;
  void* caller_thread_ = nullptr;
  void* sanitizer_thread_;
};

}  // namespace vparity::simt
