#include "harness/plan/bytes_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace vparity::harness {

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr double step = 1024;
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= step && unit + 1 < units.size(); ++unit) amount /= step;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

}  // namespace vparity::harness
