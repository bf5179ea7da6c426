#include "reports/history/shifts.h"

#include <algorithm>

namespace vparity::reports {
namespace {

/// Levels with a smaller difference count as the same.
double same_level() { return looking_back.smallest; }

std::vector<Shift> by_change_points(std::span<const double> values) {
  std::vector<Shift> shifts;
  for (const auto& point : change_points(values, looking_back))
    shifts.push_back({.at = point.at,
                      .by_change_point = true,
                      .before = point.before,
                      .after = point.after,
                      .p = point.p});
  for (auto shift = shifts.begin(); shift != shifts.end(); ++shift) {
    const auto back = std::find_if(shift + 1, shifts.end(), [&](const Shift& later) {
      return later.after <= shift->before + same_level();
    });
    if (shift->is_rise() && back != shifts.end()) shift->back = back->at;
  }
  return shifts;
}

std::size_t distance(std::size_t one, std::size_t other) {
  return std::max(one, other) - std::min(one, other);
}

/// The rules may find slightly different places, so only the level before must agree. A rise that
/// was over before the level changed is a different one.
bool is_same(const SuddenRise& rise, const Shift& shift) {
  return shift.is_rise() && distance(rise.at, shift.at) < sudden.window &&
         rise.before < (shift.before + shift.after) / 2 && !(rise.back && *rise.back <= shift.at);
}

Shift shift_of(const SuddenRise& rise) {
  return {.at = rise.at,
          .by_sudden_rise = true,
          .before = rise.before,
          .after = rise.after,
          .back = rise.back};
}

}  // namespace

std::vector<Shift> shifts_of(std::span<const double> values) {
  auto shifts = by_change_points(values);
  const std::size_t points = shifts.size();
  for (const auto& rise : sudden_rises(values, sudden)) {
    const auto end = shifts.begin() + static_cast<std::ptrdiff_t>(points);
    const auto same =
        std::find_if(shifts.begin(), end, [&](const Shift& shift) { return is_same(rise, shift); });
    if (same == end)
      shifts.push_back(shift_of(rise));
    else
      same->by_sudden_rise = true;
  }
  std::ranges::stable_sort(shifts, {}, &Shift::at);
  return shifts;
}

std::size_t fewest_to_judge() { return sudden.fewest + sudden.in_a_row; }

}  // namespace vparity::reports
