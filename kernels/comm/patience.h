// Waiting for what may never come.
#pragma once

#include <sched.h>

#include <chrono>
#include <thread>

namespace vparity {

/// Paces a loop that polls, and ends it. The core goes to whoever can use it at each turn; only a
/// wait that has become long sleeps, so that short ones are not measured longer than they are.
class Patience {
 public:
  explicit Patience(std::chrono::nanoseconds limit) : limit_(limit) {}

  /// True once the limit has passed; until then it returns false after a turn's pause.
  bool has_run_out() const {
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
