#include "harness/rank/check/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <type_traits>

namespace vparity::harness {
namespace {

static_assert(std::is_trivially_copyable_v<Findings>);

/// Written so that NaN fails unless it is expected.
bool matches(double actual, const reference::Bounded& expected) {
  if (std::isnan(expected.value)) return std::isnan(actual);
  return actual == expected.value || std::abs(actual - expected.value) <= expected.bound;
}

PlacedInvariant sum_invariant(double actual, const reference::Bounded& expected) {
  const bool ok = matches(actual, expected);
  const double error = ok && !std::isfinite(expected.value) ? 0 : std::abs(actual - expected.value);
  return {{"loss_sum", ok, error, expected.bound}, {}};
}

PlacedInvariant count_invariant(std::string name, std::int64_t actual, std::int64_t expected) {
  return {{std::move(name), actual == expected, static_cast<double>(actual),
           static_cast<double>(expected)},
          {}};
}

/// `actual`, a sum over valid rows divided by `count`, against the rows themselves.
std::optional<PlacedInvariant> rows_invariant(std::string name, double actual, const RowSum& rows,
                                              std::int64_t count) {
  if (!rows.comparable()) return std::nullopt;
  const auto divisor = static_cast<double>(count);
  const double error = std::abs(actual - rows.value() / divisor);
  const double bound = rows.bound() / divisor;
  return PlacedInvariant{{std::move(name), error <= bound, error, bound}, {}};
}

std::string text_of(const PlacedInvariant& placed) {
  const auto& [name, ok, value, bound] = placed.invariant;
  return fmt::format("{}: {} where {} is allowed{}", name, value, bound,
                     placed.place.empty() ? "" : ", " + placed.place);
}

void add_outputs(std::vector<reports::Reason>& wrong, const Comparisons& comparisons) {
  for (std::size_t i = 0; i < output_names.size(); ++i) {
    const OutputComparison& comparison = comparisons.all()[i];
    if (comparison.passed()) continue;
    const reports::OutputResult result = comparison.result(std::string(output_names[i]), 1);
    wrong.push_back(
        {"outside_bound",
         fmt::format("{}: {} of {} elements outside their bound, error ratio {:.3g}",
                     output_names[i], result.mismatches, result.elements, result.error_ratio)});
  }
}

}  // namespace

void Findings::combine(const Findings& other) {
  comparisons.combine(other.comparisons);
  naive.combine(other.naive);
  gradient_row_sum.combine(other.gradient_row_sum);
  entropy_range.combine(other.entropy_range);
  row_sums.combine(other.row_sums);
  occurrence.combine(other.occurrence);
  inputs_unchanged = inputs_unchanged && other.inputs_unchanged;
  guards_intact = guards_intact && other.guards_intact;
  unwritten_elements += other.unwritten_elements;
  disagreement.combine(other.disagreement);
}

Findings combine_findings(Communicator& world, const Findings& own) {
  const std::vector<Findings> all = all_gather_values(world, own);
  Findings combined = all.front();
  for (std::size_t rank = 1; rank < all.size(); ++rank) combined.combine(all[rank]);
  return combined;
}

std::optional<PlacedInvariant> invariant_of(std::string_view name, const Deviation& deviation) {
  if (!deviation.looked()) return std::nullopt;
  return PlacedInvariant{{std::string(name), deviation.ok(), deviation.value(), deviation.bound()},
                         deviation.place()};
}

std::vector<PlacedInvariant> invariants_of(const Findings& findings,
                                           const reference::GlobalAccumulator& expected) {
  const GlobalResults& actual = findings.global;
  std::vector<PlacedInvariant> all{
      sum_invariant(actual.loss_sum, expected.loss_sum()),
      count_invariant("valid_tokens", actual.valid_tokens, expected.valid_tokens()),
      count_invariant("degenerate_rows", actual.degenerate_rows, expected.degenerate_rows())};
  const auto add = [&all](std::optional<PlacedInvariant> held) {
    if (held) all.push_back(std::move(*held));
  };
  const RowSums& sums = findings.row_sums;
  add(rows_invariant("loss_sum_of_rows", actual.loss_sum, sums.loss, 1));
  add(rows_invariant("entropy_mean_of_rows", actual.entropy_mean, sums.entropy,
                     expected.valid_tokens()));
  add(invariant_of("gradient_row_sum", findings.gradient_row_sum));
  add(invariant_of("entropy_range", findings.entropy_range));
  return all;
}

std::optional<reports::Reason> failure_of(const Findings& findings,
                                          const std::vector<PlacedInvariant>& invariants) {
  std::vector<reports::Reason> wrong;
  add_outputs(wrong, findings.comparisons);
  for (const PlacedInvariant& placed : invariants) {
    if (!placed.invariant.ok) wrong.push_back({"invariant", text_of(placed)});
  }
  if (findings.disagreement.values > 0) {
    wrong.push_back({"rank_disagreement", findings.disagreement.first.str()});
  }
  if (findings.unwritten_elements > 0) {
    wrong.push_back({"unwritten", fmt::format("{} output elements were not written",
                                              findings.unwritten_elements)});
  }
  if (!findings.inputs_unchanged) wrong.push_back({"inputs_modified", "inputs were modified"});
  if (!findings.guards_intact) {
    wrong.push_back({"guards_overwritten", "bytes beside the rows of a buffer were overwritten"});
  }
  if (wrong.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const reports::Reason& reason : wrong) texts.push_back(reason.text);
  return reports::Reason{wrong.front().code, fmt::format("{}", fmt::join(texts, "; "))};
}

}  // namespace vparity::harness
