#include "reports/text/quantity_text.h"

#include <fmt/format.h>

#include <cmath>

namespace vparity::reports {

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string change_text(double ratio) {
  const double value = 100 * ratio;
  return std::abs(value) < 1e4 ? fmt::format("{:+.2f}%", value) : fmt::format("{:+.2g}%", value);
}

}  // namespace vparity::reports
