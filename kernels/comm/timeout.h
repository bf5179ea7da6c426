// A time limit on waiting for a peer or a device.
#pragma once

#include <sched.h>

#include <chrono>
#include <thread>

namespace vparity {

/// Paces and ends a polling loop. Each turn yields the core. Only a wait that has become long
/// sleeps, so that short waits are not measured longer than they are.
class Timeout {
 public:
  explicit Timeout(std::chrono::nanoseconds limit) : limit_(limit) {}

  /// True once the limit has passed; until then it returns false after a turn's pause.
  bool has_passed() const {
    const auto waited = std::chrono::steady_clock::now() - start_;
    if (waited >= limit_) return true;
    if (waited < without_sleep) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(turn);
    }
    return false;
  }

 private:
  static constexpr std::chrono::milliseconds without_sleep{20};
  static constexpr std::chrono::microseconds turn{100};

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds limit_;
};

}  // namespace vparity
