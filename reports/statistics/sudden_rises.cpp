#include "reports/statistics/sudden_rises.h"

#include <algorithm>

#include "reports/statistics/median.h"

namespace vparity::reports {
namespace {

double median_of(std::span<const double> part) { return median({part.begin(), part.end()}); }

/// The median of the values before `at`, if the values from `at` on are too far above it.
std::optional<double> risen_from(std::span<const double> values, std::size_t at,
                                 const SuddenRiseCriteria& criteria) {
  const std::size_t window = std::min(at, criteria.window);
  if (window < criteria.fewest) return {};
  const double before = median_of(values.subspan(at - window, window));
  const auto now = values.subspan(at, criteria.in_a_row);
  if (!(std::ranges::min(now) - before > criteria.smallest)) return {};
  return before;
}

std::optional<std::size_t> back_at(std::span<const double> values, const SuddenRise& rise,
                                   const SuddenRiseCriteria& criteria) {
  const double limit = rise.before + criteria.back_within;
  for (std::size_t i = rise.at; i + criteria.level <= values.size(); ++i) {
    const auto level = values.subspan(i, criteria.level);
    if (median_of(level) > limit) continue;
    const auto first = std::ranges::find_if(level, [&](double value) { return value <= limit; });
    return i + static_cast<std::size_t>(first - level.begin());
  }
  return {};
}

/// Sets where `rise` ends in `values`, and the level it had.
void follow(std::span<const double> values, const SuddenRiseCriteria& criteria, SuddenRise& rise) {
  rise.back = back_at(values, rise, criteria);
  const std::size_t end = rise.back.value_or(values.size());
  rise.after = median_of(values.subspan(rise.at, end - rise.at));
}

}  // namespace

std::vector<SuddenRise> sudden_rises(std::span<const double> values,
                                     const SuddenRiseCriteria& criteria) {
  std::vector<SuddenRise> rises;
  for (std::size_t at = 0; at + criteria.in_a_row <= values.size(); ++at) {
    const auto before = risen_from(values, at, criteria);
    if (!before) continue;
    if (!rises.empty()) {
      follow(values.first(at), criteria, rises.back());
      if (!rises.back().back && at < rises.back().at + criteria.window) continue;
    }
    rises.push_back({.at = at, .before = *before});
  }
  for (auto& rise : rises) follow(values, criteria, rise);
  return rises;
}

}  // namespace vparity::reports
