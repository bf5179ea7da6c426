#include "reports/text/throughput_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "reports/text/text_layout.h"

namespace vparity::reports {
namespace {

using Row = std::vector<std::string>;

std::string param(const CaseResult& result, const char* name) {
  const auto value = result.params.find(name);
  if (value == result.params.end()) return {};
  return value->is_string() ? value->get<std::string>() : value->dump();
}

std::string op_of(const CaseResult& result) {
  const auto op = param(result, "op");
  if (op.empty() || op == "forward_backward") return "fwd+bwd";
  return op == "forward" ? "fwd" : "bwd";
}

/// The parameters that compared cases have in common.
std::string setting_of(const CaseResult& result) {
  auto params = result.params;
  for (const char* name : {"provider", "mode", "batch_invariant", "chunk"}) params.erase(name);
  return params.dump();
}

std::string median_text(const Timing& timing) {
  const double half_width =
      (timing.median_interval_s[1] - timing.median_interval_s[0]) / 2 / timing.median_s;
  return fmt::format("{} +-{:.2g}%", time_text(timing.median_s), 100 * half_width);
}

std::string percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

std::string against(const Timing& base, const CaseResult* other) {
  if (other == nullptr) return "-";
  const auto& timing = other->timing();
  const auto took = base.speedup.find(timing.variant);
  const auto predicted = base.predicted_speedup.find(timing.variant);
  if (took == base.speedup.end() || predicted == base.predicted_speedup.end()) return "-";
  return fmt::format("{:.2f} {:.2f} {}", took->second, predicted->second,
                     percent(timing.own_floor_s / timing.median_s));
}

/// The cases of one setting and operation, in the order of the plan.
using Variants = std::vector<const CaseResult*>;

const CaseResult& base_of(const Variants& variants) {
  const auto found = std::ranges::find_if(variants, [](const CaseResult* one) {
    return one->timing().variant.starts_with(base_variant);
  });
  return found == variants.end() ? *variants.front() : **found;
}

const CaseResult* named(const Variants& variants, const std::string& name) {
  const auto found = std::ranges::find_if(
      variants, [&](const CaseResult* one) { return one->timing().variant == name; });
  return found == variants.end() ? nullptr : *found;
}

Row row_of(const Variants& variants, const std::vector<std::string>& others) {
  const CaseResult& base = base_of(variants);
  const Timing& timing = base.timing();
  Row row{param(base, "tp"),
          param(base, "dp"),
          param(base, "vocab"),
          param(base, "dtype"),
          param(base, "tokens"),
          op_of(base),
          timing.variant,
          median_text(timing),
          fmt::format("{:.3g}", timing.gb_per_s),
          percent(timing.share_of_floor)};
  for (const auto& name : others) row.push_back(against(timing, named(variants, name)));
  return row;
}

}  // namespace

std::vector<Row> throughput_table(const std::vector<CaseResult>& cases) {
  std::vector<std::string> order, others;
  std::map<std::string, Variants> settings;
  for (const auto& result : cases) {
    if (!result.was_timed()) continue;
    const auto setting = setting_of(result);
    if (!settings.contains(setting)) order.push_back(setting);
    settings[setting].push_back(&result);
  }
  for (const auto& setting : order) {
    const Variants& variants = settings[setting];
    for (const CaseResult* one : variants) {
      const auto& name = one->timing().variant;
      if (one != &base_of(variants) && std::ranges::find(others, name) == others.end())
        others.push_back(name);
    }
  }
  if (order.empty()) return {};
  std::vector<Row> table{
      {"tp", "dp", "vocab", "type", "tokens", "op", "kernels", "median", "GB/s", "floor"}};
  for (const auto& name : others) table[0].push_back(name);
  for (const auto& setting : order) table.push_back(row_of(settings[setting], others));
  return table;
}

}  // namespace vparity::reports
