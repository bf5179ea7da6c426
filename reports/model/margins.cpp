#include "reports/model/margins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vparity::reports {
namespace {

void add(std::vector<MarginDistribution>& all, const OutputResult& output) {
  auto found = std::ranges::find(all, output.name, &MarginDistribution::output);
  if (found == all.end()) found = all.insert(all.end(), {output.name, {}, {}});
  if (output.nontrivial.value_or(0) == 0 || !std::isfinite(output.margin)) return;
  found->margins.push_back(output.margin);
  if (output.naive) found->naive.push_back(output.naive->margin);
}

/// In how many cases a naive kernel would have been outside its bound.
std::string naive_caught(const std::vector<double>& margins) {
  if (margins.empty()) return "-";
  const auto caught = std::ranges::count_if(margins, [](double margin) { return margin > 1; });
  return fmt::format("{:.0f} %",
                     100.0 * static_cast<double>(caught) / static_cast<double>(margins.size()));
}

std::vector<std::string> row_of(const MarginDistribution& distribution) {
  const auto& margins = distribution.margins;
  std::vector<std::string> row{distribution.output, std::to_string(margins.size())};
  for (const double share : {0.0, 0.5, 0.95, 1.0})
    row.push_back(fmt::format("{:.3g}", quantile(margins, share)));
  row.push_back(naive_caught(distribution.naive));
  return row;
}

}  // namespace

std::vector<MarginDistribution> margin_distributions(const std::vector<CaseResult>& cases) {
  std::vector<MarginDistribution> all;
  for (const auto& result : cases) {
    for (const auto& output : result.outputs) add(all, output);
  }
  std::erase_if(all, [](const auto& distribution) { return distribution.margins.empty(); });
  for (auto& distribution : all) std::ranges::sort(distribution.margins);
  return all;
}

double quantile(const std::vector<double>& sorted, double share) {
  const auto count = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(count, 1.0)) - 1];
}

std::vector<std::vector<std::string>> margin_table(const std::vector<CaseResult>& cases) {
  std::vector<std::vector<std::string>> table;
  for (const auto& distribution : margin_distributions(cases)) {
    if (table.empty())
      table.push_back({"margins of", "cases", "min", "median", "p95", "max", "naive caught"});
    table.push_back(row_of(distribution));
  }
  return table;
}

}  // namespace vparity::reports
