// Series of a history as bytes, which a page's viewer unpacks when it looks at them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reports/history/history.h"

namespace vparity::reports {

/// A value on a logarithmic scale, so that it is off by a share of itself: 1024 steps an octave
/// from 2^-40 (1e-12) to 2^23.998 (1.7e7), at most 0.034 % off. 0: missing; 1: zero, or below the
/// scale; 65535: infinite, or above it.
struct PackedScale {
  static constexpr int first_octave = -40, steps_per_octave = 1024;
  static constexpr std::uint16_t missing = 0, zero = 1, first = 2, infinite = 65535;
};
std::uint16_t packed_value(double value);

/// Of all series together, one byte a point each, night after night and series after series: the
/// statuses (0: none, else 1 more than the Status); the low bytes of the values, then the high
/// ones; if any series has an anchor's value, the same of these. Of a value the difference from the
/// night before is written (of the first from 0), modulo 2^16, and so that small ones of both signs
/// are small: 0, -1, 1, -2, 2, ... are 0, 1, 2, 3, 4, ...
std::string packed_series(std::span<const Series> series);

}  // namespace vparity::reports
