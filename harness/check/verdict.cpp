#include "harness/check/verdict.h"

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

reports::Invariant sum_invariant(double actual, const reference::Bounded& expected) {
  const bool ok = matches(actual, expected);
  const double error = ok && !std::isfinite(expected.value) ? 0 : std::abs(actual - expected.value);
  return {"loss_sum", ok, error, expected.bound};
}

reports::Invariant count_invariant(std::string name, std::int64_t actual, std::int64_t expected) {
  return {std::move(name), actual == expected, static_cast<double>(actual),
          static_cast<double>(expected)};
}

void add_outputs(std::vector<reports::Reason>& wrong, const Comparisons& comparisons) {
  for (std::size_t i = 0; i < output_names.size(); ++i) {
    const OutputComparison& comparison = comparisons.all()[i];
    if (comparison.passed()) continue;
    const reports::OutputResult result = comparison.result(std::string(output_names[i]), 1);
    wrong.push_back(
        {"outside_bound",
         fmt::format("{}: {} of {} elements outside their bound, margin {:.3g}", output_names[i],
                     result.mismatches, result.elements, result.margin)});
  }
}

}  // namespace

void Findings::combine(const Findings& other) {
  comparisons.combine(other.comparisons);
  occurrence.combine(other.occurrence);
  inputs_unchanged = inputs_unchanged && other.inputs_unchanged;
  guards_intact = guards_intact && other.guards_intact;
  unwritten_elements += other.unwritten_elements;
  if (disagreement.empty()) disagreement = other.disagreement;
}

Findings combine_findings(Communicator& world, const Findings& own) {
  const std::vector<Findings> all = all_gather_values(world, own);
  Findings combined = all.front();
  for (std::size_t rank = 1; rank < all.size(); ++rank) combined.combine(all[rank]);
  return combined;
}

std::vector<reports::Invariant> global_invariants(const GlobalResults& actual,
                                                  const reference::GlobalAccumulator& expected) {
  return {sum_invariant(actual.loss_sum, expected.loss_sum()),
          count_invariant("valid_tokens", actual.valid_tokens, expected.valid_tokens()),
          count_invariant("degenerate_rows", actual.degenerate_rows, expected.degenerate_rows())};
}

std::optional<reports::Reason> failure_of(const Findings& findings,
                                          const std::vector<reports::Invariant>& invariants) {
  std::vector<reports::Reason> wrong;
  add_outputs(wrong, findings.comparisons);
  for (const reports::Invariant& invariant : invariants) {
    if (invariant.ok) continue;
    wrong.push_back({"invariant", fmt::format("{}: {} where {} is allowed", invariant.name,
                                              invariant.value, invariant.bound)});
  }
  if (!findings.disagreement.empty()) {
    wrong.push_back({"rank_disagreement", findings.disagreement.str()});
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
