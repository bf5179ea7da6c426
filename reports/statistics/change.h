// How many times as long something takes as before, from pairs of processes: estimate, interval,
// verdict. What is assumed and where the formulas come from: docs/comparing.md.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace vparity::reports {

struct Criteria {
  double confidence = 0.99;
  double threshold = 0.02;  ///< times within a factor of 1 + threshold of each other are the same
  /// How often the data are looked at, each time with more of them, until the verdicts are clear.
  int looks = 1;

  /// What one look may be wrong by.
  double error_rate() const { return (1 - confidence) / looks; }
};

/// Below it there is no verdict: two rounds of ABBA.
inline constexpr std::size_t fewest_pairs = 4;

enum class Verdict { regressed, improved, equivalent, inconclusive };
std::string_view name_of(Verdict verdict);

/// Of one case. Ratios are head's time over base's, less 1: 0.05 is 5 % slower.
struct Change {
  std::size_t pairs = 0;
  double ratio = 0;
  double low = 0, high = 0;  ///< for this case alone, at 1 - Criteria::error_rate()
  double p_changed = 1;      ///< that a change within the threshold looks like this
  double p_equivalent = 1;   ///< that a change beyond the threshold looks like this
  double detectable = 0;     ///< the smallest that would have been found in 95 of 100
  Verdict verdict = Verdict::inconclusive;
};

/// Logarithms of head's over base's, pair by pair; `base` and `head` have the same size.
std::vector<double> log_ratios(std::span<const double> base, std::span<const double> head);

/// One for each case, whose log-ratios are given. p-values are adjusted over the cases (Holm),
/// those of a change and those of equivalence each for themselves. Nothing where there are no two
/// pairs, or not all are finite.
std::vector<std::optional<Change>> judge(const std::vector<std::vector<double>>& cases,
                                         const Criteria& criteria);

}  // namespace vparity::reports
