#include "reports/model/error_ratios.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vparity::reports {
namespace {

void add(std::vector<ErrorRatioDistribution>& all, const OutputResult& output) {
  auto found = std::ranges::find(all, output.name, &ErrorRatioDistribution::output);
  if (found == all.end()) found = all.insert(all.end(), {output.name, {}, {}});
  if (output.nontrivial.value_or(0) == 0 || !std::isfinite(output.error_ratio)) return;
  found->error_ratios.push_back(output.error_ratio);
  if (output.naive) found->naive.push_back(output.naive->error_ratio);
}

/// In how many cases a naive kernel would have been outside its bound.
std::string naive_caught(const std::vector<double>& error_ratios) {
  if (error_ratios.empty()) return "-";
  const auto caught =
      std::ranges::count_if(error_ratios, [](double error_ratio) { return error_ratio > 1; });
  return fmt::format(
      "{:.0f} %", 100.0 * static_cast<double>(caught) / static_cast<double>(error_ratios.size()));
}

std::vector<std::string> row_of(const ErrorRatioDistribution& distribution) {
  const auto& error_ratios = distribution.error_ratios;
  std::vector<std::string> row{distribution.output, std::to_string(error_ratios.size())};
  for (const double share : {0.0, 0.5, 0.95, 1.0})
    row.push_back(fmt::format("{:.3g}", quantile(error_ratios, share)));
  row.push_back(naive_caught(distribution.naive));
  return row;
}

}  // namespace

std::vector<ErrorRatioDistribution> error_ratio_distributions(
    const std::vector<CaseResult>& cases) {
  std::vector<ErrorRatioDistribution> all;
  for (const auto& result : cases) {
    for (const auto& output : result.outputs) add(all, output);
  }
  std::erase_if(all, [](const auto& distribution) { return distribution.error_ratios.empty(); });
  for (auto& distribution : all) std::ranges::sort(distribution.error_ratios);
  return all;
}

double quantile(const std::vector<double>& sorted, double share) {
  const auto count = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(count, 1.0)) - 1];
}

std::vector<std::vector<std::string>> error_ratio_table(const std::vector<CaseResult>& cases) {
  std::vector<std::vector<std::string>> table;
  for (const auto& distribution : error_ratio_distributions(cases)) {
    if (table.empty())
      table.push_back({"error ratios of", "cases", "min", "median", "p95", "max", "naive caught"});
    table.push_back(row_of(distribution));
  }
  return table;
}

}  // namespace vparity::reports
