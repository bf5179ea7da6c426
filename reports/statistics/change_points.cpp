#include "reports/statistics/change_points.h"

#include <algorithm>
#include <cmath>

#include "reports/statistics/best_split.h"
#include "reports/statistics/median.h"

namespace vparity::reports {
namespace {

/// Appends the splits of a part of the series, in order. The part starts at index `begin`.
void divide(std::span<const double> values, std::size_t begin, const ChangePointCriteria& criteria,
            std::vector<ChangePoint>& found) {
  if (values.empty()) return;
  // Medians of parts differ by no more than the values do.
  const auto [lowest, highest] = std::ranges::minmax(values);
  if (lowest == highest || highest - lowest < criteria.smallest) return;
  const auto split = best_split(values, criteria.fewest, criteria.level);
  if (!split || split->p > criteria.level) return;
  divide(values.first(split->at), begin, criteria, found);
  found.push_back({.at = begin + split->at, .p = split->p});
  divide(values.subspan(split->at), begin + split->at, criteria, found);
}

void set_levels(std::span<const double> values, std::vector<ChangePoint>& points) {
  for (std::size_t begin = 0, i = 0; i <= points.size(); ++i) {
    const std::size_t end = i < points.size() ? points[i].at : values.size();
    const auto part = values.subspan(begin, end - begin);
    const double level = median({part.begin(), part.end()});
    if (i > 0) points[i - 1].after = level;
    if (i < points.size()) points[i].before = level;
    begin = end;
  }
}

double size_of(const ChangePoint& point) { return std::abs(point.after - point.before); }

void drop_small(std::span<const double> values, double smallest, std::vector<ChangePoint>& points) {
  while (!points.empty()) {
    set_levels(values, points);
    const auto least = std::ranges::min_element(points, {}, size_of);
    if (size_of(*least) >= smallest) return;
    points.erase(least);
  }
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointCriteria& criteria) {
  std::vector<ChangePoint> points;
  divide(values, 0, criteria, points);
  drop_small(values, criteria.smallest, points);
  return points;
}

}  // namespace vparity::reports
