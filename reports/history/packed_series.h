// Series of a history as compact bytes. The viewer unpacks them (reports/viewer/src/points.ts).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reports/history/history.h"

namespace vparity::reports {

/// Values are stored on a logarithmic scale, with a relative error of at most 0.034 %: 1024 steps
/// for each octave from 2^-40 (1e-12) to 2^23.998 (1.7e7). 0 means missing; 1 means zero or below
/// the scale; 65535 means infinite or above the scale.
struct PackedScale {
  static constexpr int first_octave = -40, steps_per_octave = 1024;
  static constexpr std::uint16_t missing = 0, zero = 1, first = 2, infinite = 65535;
};
std::uint16_t packed_value(double value);

/// The bytes of all series. Each plane below has one byte for each point, series after series and
/// night after night:
///   - statuses: 0 for none, otherwise Status + 1;
///   - low bytes of the values, then their high bytes;
///   - if any series has an anchor's value, low and high bytes of the anchor's values.
/// A value is written as its difference from the night before (the first from 0), modulo 2^16, in
/// zigzag code: 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
std::string packed_series(std::span<const Series> series);

}  // namespace vparity::reports
