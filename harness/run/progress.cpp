#include "harness/run/progress.h"

#include <fmt/format.h>

#include <cmath>

namespace vparity::harness {
namespace {

std::string duration_text(double seconds) {
  constexpr double minute = 60;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", std::ceil(seconds));
  return fmt::format("{:.0f} min", std::ceil(seconds / minute));
}

}  // namespace

std::string progress_text(const Progress& progress) {
  auto text =
      fmt::format("{}/{} cases, {} failed", progress.decided, progress.planned, progress.failed);
  const auto left = progress.planned - progress.decided;
  if (progress.decided_here == 0 || left == 0) return text;
  const double seconds_per_case = progress.elapsed_s / static_cast<double>(progress.decided_here);
  return text + fmt::format(", about {} left",
                            duration_text(seconds_per_case * static_cast<double>(left)));
}

}  // namespace vparity::harness
