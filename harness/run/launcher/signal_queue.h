// Receives signals by reading a descriptor instead of in a signal handler.
#pragma once

#include <csignal>
#include <initializer_list>
#include <optional>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

/// While it lives, the signals - but SIGHUP where it is ignored, as under nohup - are blocked in
/// this thread and wait to be taken. Queues may be nested; a signal is taken by whoever asks first.
class SignalQueue {
 public:
  explicit SignalQueue(std::initializer_list<int> signals);
  ~SignalQueue();
  SignalQueue(const SignalQueue&) = delete;
  SignalQueue& operator=(const SignalQueue&) = delete;

  /// Readable while a signal is pending; for poll(2).
  int descriptor() const { return file_.get(); }

  /// The next pending signal, if any.
  std::optional<int> take();

 private:
  sigset_t signals_{};
  sigset_t previous_{};
  reports::FileDescriptor file_;
};

}  // namespace vparity::harness
