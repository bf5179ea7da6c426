// Code on its own stack, which runs until it switches to another fiber.
#pragma once

#include <cstddef>

namespace vparity::simt {

class Fiber {
 public:
  /// Stands for the CPU thread's own stack.
  Fiber();
  /// `entry` is called at the first switch to the fiber, and never returns.
  explicit Fiber(void (*entry)());
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Called on this fiber: switches to `other`, which continues where it stopped. Returns at the
  /// next switch to this one.
  void go_to(Fiber& other);

  /// ThreadSanitizer's handle of the CUDA thread.
  void* sanitizer_thread() const { return sanitizer_thread_; }

 private:
  struct Passage;

  std::byte* memory_ = nullptr;  // a guard page, then the stack
  void* context_ = nullptr;      // where it stopped
  void (*entry_)() = nullptr;
  // The sanitizers' data about this stack.
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* fake_stack_ = nullptr;
  void* sanitizer_thread_;
};

}  // namespace vparity::simt
