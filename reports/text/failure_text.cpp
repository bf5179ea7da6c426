#include "reports/text/failure_text.h"

#include <fmt/format.h>

#include <string_view>

#include "reports/text/text_safety.h"

namespace vparity::reports {
namespace {

std::string element_text(const OutputResult& output) {
  const auto& worst = *output.worst;
  return fmt::format("{}: row {}, column {}, rank {}: expected {}, actual {}, error ratio {:.4g}",
                     output.name, worst.row, worst.column, worst.rank, worst.expected, worst.actual,
                     output.error_ratio);
}

std::string reason_text(const CaseResult& result) {
  return result.reason ? fmt::format("{}: {}", result.reason->code, result.reason->text)
                       : std::string("no reason given");
}

}  // namespace

const OutputResult* worst_output(const CaseResult& result) {
  const OutputResult* worst = nullptr;
  for (const auto& output : result.outputs) {
    const bool wrong = output.mismatches > 0 && output.worst;
    if (wrong && (!worst || output.error_ratio > worst->error_ratio)) worst = &output;
  }
  return worst;
}

std::string violated_text(const CaseResult& result) {
  if (result.measure() != Measure::parity) return {};
  std::string names;
  for (const auto& invariant : result.parity().invariants) {
    if (!invariant.ok) names += (names.empty() ? "; violated: " : ", ") + invariant.name;
  }
  return names;
}

std::string what_failed(const CaseResult& result) {
  const auto* output = worst_output(result);
  return output ? element_text(*output) + violated_text(result) : reason_text(result);
}

std::string failure_line(const CaseResult& result) {
  return one_line(fmt::format("{} {}: {}; repeat: {}", name_of(result.status), result.key,
                              what_failed(result), result.repeat));
}

std::string axes_text(std::string_view key, std::string_view default_key) {
  std::string text;
  // A key is ",name=value,...,name=value,".
  while (!key.empty()) {
    const auto field = key.substr(0, key.find(',', 1));
    if (field.size() > 1 && default_key.find(std::string(field) + ",") == std::string::npos)
      text.append(text.empty() ? "" : " ").append(field.substr(1));
    key.remove_prefix(field.size());
  }
  return text;
}

std::string brief_name(const CaseResult& result, const std::string& default_key) {
  std::string name = result.id;
  if (result.measure() == Measure::throughput) name += " throughput";
  const auto axes = axes_text(result.key, default_key);
  return axes.empty() ? name : name + " " + axes;
}

}  // namespace vparity::reports
