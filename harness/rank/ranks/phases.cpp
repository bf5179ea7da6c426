#include "harness/rank/ranks/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "harness/rank/ranks/fixed_text.h"
#include "harness/rank/ranks/rank_log.h"
#include "vparity/errors.h"

namespace vparity::harness {
namespace {

/// How a phase ended on one rank.
struct Ending {
  enum class Kind : std::uint8_t {
    completed,
    argument_error,
    label_error,
    communication_error,
    out_of_memory,
    exception
  };
  Kind kind = Kind::completed;
  FixedText text;

  bool completed() const { return kind == Kind::completed; }
  /// The caller asked for something impossible; nobody has to look into a log.
  bool is_usage() const { return kind == Kind::argument_error || kind == Kind::label_error; }
};

std::string code_of(Ending::Kind kind) {
  switch (kind) {
    case Ending::Kind::completed:
      break;
    case Ending::Kind::argument_error:
      return "argument_error";
    case Ending::Kind::label_error:
      return "label_error";
    case Ending::Kind::communication_error:
      return "communication_error";
    case Ending::Kind::out_of_memory:
      return "out_of_memory";
    case Ending::Kind::exception:
      return "exception";
  }
  return {};
}

Ending run_body(const std::function<void()>& body) {
  using Kind = Ending::Kind;
  try {
    body();
    return {};
  } catch (const LabelError& error) {
    return {Kind::label_error, FixedText(error.what())};
  } catch (const ArgumentError& error) {
    return {Kind::argument_error, FixedText(error.what())};
  } catch (const CommunicationError& error) {
    return {Kind::communication_error, FixedText(error.what())};
  } catch (const std::bad_alloc&) {
    return {Kind::out_of_memory, FixedText("out of memory")};
  } catch (const std::exception& error) {
    return {Kind::exception, FixedText(error.what())};
  } catch (...) {
    return {Kind::exception, FixedText("an exception that is no std::exception")};
  }
}

/// Calls `expire` unless it is destroyed within `grace`.
class Watchdog {
 public:
  Watchdog(std::chrono::milliseconds grace, std::function<void()> expire)
      : thread_([this, grace, expire = std::move(expire)](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          const bool stopped =
              stopped_.wait_for(lock, stop, grace, [&stop] { return stop.stop_requested(); });
          if (!stopped) expire();
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;  // last: it uses the others
};

/// Adds to `seconds`, when it is destroyed, how long it was there.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    seconds_ += passed.count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The first that failed of its own accord; a communication error may only be the echo of another
/// rank's.
std::vector<Ending>::const_iterator first_cause(const std::vector<Ending>& endings) {
  const auto cause = std::ranges::find_if(endings, [](const Ending& ending) {
    return !ending.completed() && ending.kind != Ending::Kind::communication_error;
  });
  if (cause != endings.end()) return cause;
  return std::ranges::find_if(endings, [](const Ending& ending) { return !ending.completed(); });
}

/// Ranks that all fail alike give their text; otherwise the rank is named.
std::string describe(const std::vector<Ending>& endings, const Ending& cause, std::ptrdiff_t rank) {
  const std::string text = cause.text.str();
  const bool alike =
      std::ranges::all_of(endings, [&](const Ending& ending) { return ending.text.str() == text; });
  return alike ? text : fmt::format("rank {}: {}", rank, text);
}

}  // namespace

Phases::Phases(std::string name, Communicator& world,
               std::function<void(std::string_view)> on_phase, std::chrono::milliseconds grace)
    : name_(std::move(name)), world_(world), on_phase_(std::move(on_phase)), grace_(grace) {}

void Phases::enter(std::string_view phase) {
  if (current_ == phase) return;
  current_ = phase;
  on_phase_(phase);
}

void Phases::run(std::string_view phase, const std::function<void()>& body) {
  enter(phase);
  const Stopwatch stopwatch(seconds_[current_]);
  const Ending own = run_body(body);
  std::vector<Ending> endings;
  if (own.completed()) {
    endings = all_gather_values(world_, own);
  } else {
    const std::string place = fmt::format("{}, {}: {}", name_, phase, own.text.str());
    const Watchdog watchdog(
        grace_, [&] { world_.abort((place + "; the other ranks wait elsewhere").c_str()); });
    if (!own.is_usage()) log_rank(world_.rank(), place);
    endings = all_gather_values(world_, own);
  }
  const auto cause = first_cause(endings);
  if (cause == endings.end()) return;
  throw PhaseFailed({code_of(cause->kind), describe(endings, *cause, cause - endings.begin())},
                    current_);
}

}  // namespace vparity::harness
