#include "reports/model/exit_code.h"

#include <algorithm>
#include <array>

namespace vparity::reports {
namespace {

constexpr int signalled = 128;

/// What made the program stop comes before what it found until then.
std::ptrdiff_t place_of(ExitCode code) {
  constexpr std::array order{exit_usage,        exit_failed,      exit_timeout, exit_infrastructure,
                             exit_inconclusive, exit_nothing_ran, exit_passed};
  return is_by_signal(code) ? -1 : std::ranges::find(order, code) - order.begin();
}

}  // namespace

ExitCode exit_by_signal(int signal) { return static_cast<ExitCode>(signalled + signal); }

bool is_by_signal(int exit_code) { return exit_code > signalled; }

int signal_of(ExitCode code) { return code - signalled; }

ExitCode first_in_precedence(const std::vector<ExitCode>& applicable) {
  return *std::ranges::min_element(applicable, {}, place_of);
}

}  // namespace vparity::reports
