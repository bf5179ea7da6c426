#include "reports/statistics/energy_scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace vparity::reports {
namespace {

constexpr unsigned most_value_bits = 40;

/// The indices of the values, in ascending order of the values.
std::vector<std::uint32_t> ascending(std::span<const double> values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return values[i]; });
  return order;
}

/// For each value of `sorted`, the sum of its distances to all values.
std::vector<std::int64_t> distances_of(const std::vector<std::int64_t>& sorted) {
  const auto count = static_cast<std::int64_t>(sorted.size());
  const auto total = std::accumulate(sorted.begin(), sorted.end(), std::int64_t{0});
  std::vector<std::int64_t> distances;
  for (std::int64_t below = 0, i = 0; const auto value : sorted) {
    distances.push_back((2 * i - count) * value + total - 2 * below);
    below += value;
    ++i;
  }
  return distances;
}

}  // namespace

EnergyScan::EnergyScan(std::span<const double> values, std::size_t fewest)
    : fewest_(fewest), ranks_(values.size()), seen_(std::bit_ceil(values.size())) {
  // The sum of all values and the sum of all distances must fit into 63 bits.
  count_bits_ = static_cast<unsigned>(std::bit_width(values.size()));
  const unsigned value_bits = std::min(most_value_bits, 64 - 2 * count_bits_);
  range_ = std::ldexp(1.0, static_cast<int>(value_bits)) - 1;
  const auto order = ascending(values);
  const double lowest = values[order.front()], width = values[order.back()] - lowest;
  for (std::uint32_t rank = 0; const auto index : order) {
    ranks_[index] = rank++;
    values_.push_back(std::llround((values[index] - lowest) / width * range_));
  }
  distances_ = distances_of(values_);
  all_pairs_ = std::accumulate(distances_.begin(), distances_.end(), std::int64_t{0}) / 2;
}

/// Adds a value and returns the values of lower rank seen before it, packed as in the tree. There
/// are no branches on the rank: in a random order the processor could not predict them.
std::uint64_t EnergyScan::see(std::uint32_t rank) {
  const std::size_t leaf = seen_.size() + rank;
  const auto packed = (static_cast<std::uint64_t>(values_[rank]) << count_bits_) + 1;
  std::uint64_t below = 0;
  for (std::size_t node = leaf; node > 1; node /= 2) {
    const std::uint64_t from_right = -static_cast<std::uint64_t>(node % 2);  // all bits or none
    auto& left_subtree = seen_[node / 2];
    below += left_subtree & from_right;
    left_subtree += packed & ~from_right;
  }
  return below;
}

std::int64_t EnergyScan::distances_to_seen(std::uint32_t rank, std::int64_t seen,
                                           std::int64_t sum) {
  const std::uint64_t packed = see(rank);
  const auto below = static_cast<std::int64_t>(packed & ((std::uint64_t{1} << count_bits_) - 1));
  const auto sum_below = static_cast<std::int64_t>(packed >> count_bits_);
  return values_[rank] * (2 * below - seen) + sum - 2 * sum_below;
}

/// The statistic of a split with `left` values on the left side. `within` is the sum of distances
/// among them, `distances` the sum of their distances to all values.
double EnergyScan::statistic(std::size_t left, std::int64_t within, std::int64_t distances) const {
  const auto m = static_cast<double>(left), n = static_cast<double>(ranks_.size() - left);
  const auto between = static_cast<double>(distances - 2 * within);
  const auto left_pairs = static_cast<double>(within);
  const auto right_pairs = static_cast<double>(all_pairs_ - distances + within);
  return (between - left_pairs * n / (m - 1) - right_pairs * m / (n - 1)) * 2 / (m + n);
}

EnergyScan::Split EnergyScan::best(std::span<const std::uint32_t> order) {
  std::ranges::fill(seen_, std::uint64_t{0});
  Split found{.at = fewest_, .statistic = -1};
  const std::size_t last = order.size() - fewest_;
  std::int64_t sum = 0, within = 0, distances = 0;
  for (std::size_t left = 1; left <= last; ++left) {
    const auto rank = order[left - 1];
    within += distances_to_seen(rank, static_cast<std::int64_t>(left - 1), sum);
    distances += distances_[rank];
    sum += values_[rank];
    if (left < fewest_) continue;
    const double here = statistic(left, within, distances) / range_;
    if (here > found.statistic) found = {.at = left, .statistic = here};
  }
  return found;
}

}  // namespace vparity::reports
