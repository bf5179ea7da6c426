// A stack of its own that code runs on until it goes to another one.
#pragma once

#include <cstddef>

namespace vparity::simt {

class Fiber {
 public:
  /// The stack that the CPU thread came with.
  Fiber();
  /// `entry` runs on the fiber when it is first gone to, and never returns.
  explicit Fiber(void (*entry)());
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Called on this fiber: `other` goes on from where it stopped. Returns when somebody goes to
  /// this one.
  void go_to(Fiber& other);

  /// ThreadSanitizer's name of the CUDA thread.
  void* sanitizer_thread() const { return sanitizer_thread_; }

 private:
  struct Passage;

  std::byte* memory_ = nullptr;  // a guard page, then the stack
  void* context_ = nullptr;      // where it stopped
  void (*entry_)() = nullptr;
  // What the sanitizers know it by.
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
  void* fake_stack_ = nullptr;
  void* sanitizer_thread_;
};

}  // namespace vparity::simt
