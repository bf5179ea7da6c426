#include "harness/run/failure_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace vparity::harness {
namespace {

using reports::OutputResult;

const OutputResult* worst_output(const reports::CaseResult& result) {
  const OutputResult* worst = nullptr;
  for (const auto& output : result.outputs) {
    const bool wrong = output.mismatches > 0 && output.worst;
    if (wrong && (!worst || output.margin > worst->margin)) worst = &output;
  }
  return worst;
}

std::string element_text(const OutputResult& output) {
  const auto& worst = *output.worst;
  return fmt::format("{}: row {}, column {}, rank {}: expected {}, actual {}, margin {:.4g}",
                     output.name, worst.row, worst.column, worst.rank, worst.expected, worst.actual,
                     output.margin);
}

std::string reason_text(const reports::CaseResult& result) {
  return result.reason ? fmt::format("{}: {}", result.reason->code, result.reason->text)
                       : std::string("no reason given");
}

}  // namespace

std::string failure_line(const reports::CaseResult& result) {
  const auto* output = worst_output(result);
  auto line = fmt::format("{} {}: {}; repeat: {}", name_of(result.status), result.key,
                          output ? element_text(*output) : reason_text(result), result.repeat);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

}  // namespace vparity::harness
