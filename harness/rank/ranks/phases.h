// The phases of a check, each left only when all ranks know how it ended on every rank.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "reports/model/model.h"
#include "vparity/communicator.h"

namespace vparity::harness {

/// A phase failed on at least one rank; the same on all.
struct PhaseFailed : std::exception {
  PhaseFailed(reports::Reason failure, std::string where)
      : reason(std::move(failure)), phase(std::move(where)) {}
  const char* what() const noexcept override { return reason.text.c_str(); }

  reports::Reason reason;
  std::string phase;
};

class Phases {
 public:
  /// `name` is what messages call the problem.
  Phases(std::string name, Communicator& world, std::function<void(std::string_view)> on_phase,
         std::chrono::milliseconds grace);

  /// Collective. Runs `body`, which may throw on some ranks or on all; then all ranks exchange how
  /// it ended, and all return or all throw PhaseFailed. If the others do not come to the exchange
  /// within the grace time after a throw (they wait in a collective that this rank left), the
  /// job is aborted and CommunicationError thrown.
  void run(std::string_view phase, const std::function<void()>& body);

  /// The phase that was entered last.
  const std::string& current() const { return current_; }

  /// How long each took on this rank, until all ranks had ended it.
  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  void enter(std::string_view phase);

  std::string name_;
  Communicator& world_;
  std::function<void(std::string_view)> on_phase_;
  std::chrono::milliseconds grace_;
  std::string current_;
  std::map<std::string, double> seconds_;
};

}  // namespace vparity::harness
