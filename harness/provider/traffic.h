// The bytes that a provider has to move between memory and the cores of one rank. Its speed is
// compared with the time that these bytes take.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vparity/dtype.h"

namespace vparity::harness {

struct Traffic {
  double read = 0;
  double written = 0;
  double bytes() const { return read + written; }
};

inline Traffic operator+(const Traffic& a, const Traffic& b) {
  return {a.read + b.read, a.written + b.written};
}

/// What one rank has of a problem.
struct RankShape {
  std::int64_t rows = 0;
  std::int64_t width = 0;  ///< columns of its shard
  std::int64_t vocab = 0;
  int tp = 1;
  DType logits = DType::fp32;
  DType gradient = DType::fp32;

  double shard_elements() const { return static_cast<double>(rows) * static_cast<double>(width); }
  double full_elements() const { return static_cast<double>(rows) * static_cast<double>(vocab); }
  double shard_bytes() const { return shard_elements() * static_cast<double>(size_of(logits)); }
  double full_bytes() const { return full_elements() * static_cast<double>(size_of(logits)); }
  double gradient_bytes() const {
    return shard_elements() * static_cast<double>(size_of(gradient));
  }
};

/// The traffic of each call, with empty caches.
struct CallTraffic {
  Traffic forward;
  Traffic backward;
  Traffic forward_backward;
};

/// The least that two calls can do: read the logits in each, and write the gradient once.
inline CallTraffic fewest_traffic(const RankShape& shape) {
  const Traffic forward{shape.shard_bytes(), 0};
  const Traffic backward{shape.shard_bytes(), shape.gradient_bytes()};
  return {forward, backward, forward + backward};
}

/// How fast a rank's memory is, in bytes a second.
struct MemoryRate {
  double read = 0;
  double copy = 0;  ///< bytes read plus bytes written
};

/// How long `traffic` takes at least: what is read and written side by side at the rate of a copy,
/// what is only read at that of reading.
inline double floor_seconds(const Traffic& traffic, const MemoryRate& rate) {
  const double copied = std::min(traffic.read, traffic.written) + traffic.written;
  const double only_read = std::max(traffic.read - traffic.written, 0.0);
  return copied / rate.copy + only_read / rate.read;
}

}  // namespace vparity::harness
