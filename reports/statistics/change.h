// How much slower or faster head is than base, from pairs of processes: estimate, interval and
// verdict. Assumptions and the sources of the formulas: docs/comparing.md.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace vparity::reports {

struct Criteria {
  double confidence = 0.99;
  double threshold = 0.02;  ///< times within a factor of 1 + threshold count as the same
  int looks = 1;            ///< how often the data may be judged, each time with more pairs

  /// The error rate of one look (Bonferroni).
  double error_rate() const { return (1 - confidence) / looks; }
};

/// With fewer pairs there is no verdict. Four pairs are two rounds of base, head, head, base.
inline constexpr std::size_t fewest_pairs = 4;

enum class Verdict { regressed, improved, equivalent, inconclusive };
std::string_view name_of(Verdict verdict);

/// The change of one case. Ratios are head's time over base's time, minus 1: 0.05 is 5 % slower.
struct Change {
  std::size_t pairs = 0;
  double ratio = 0;
  double low = 0, high = 0;  ///< interval of this case alone, at 1 - Criteria::error_rate()
  double p_changed = 1;      ///< p-value of "the change is within the threshold", adjusted
  double p_equivalent = 1;   ///< p-value of "the change is beyond the threshold", adjusted
  double detectable = 0;     ///< the smallest slowdown found in 95 of 100 such comparisons
  Verdict verdict = Verdict::inconclusive;
};

/// log(head / base), pair by pair. `base` and `head` have the same size.
std::vector<double> log_ratios(std::span<const double> base, std::span<const double> head);

/// The p-values, adjusted for multiple testing, in the order given (S. Holm, "A simple sequentially
/// rejective multiple test procedure", Scand. J. Statist. 6 (1979)). Rejecting every hypothesis
/// whose adjusted p-value is at most alpha rejects a true one with probability at most alpha,
/// however the p-values depend on each other.
std::vector<double> holm_adjusted(std::span<const double> p_values);

/// One change for each case, from the case's log-ratios. The p-values of a change and those of
/// equivalence are adjusted over all cases, each kind by itself. A case with fewer than two pairs
/// or with a log-ratio that is not finite has no change.
std::vector<std::optional<Change>> judge(const std::vector<std::vector<double>>& cases,
                                         const Criteria& criteria);

}  // namespace vparity::reports
