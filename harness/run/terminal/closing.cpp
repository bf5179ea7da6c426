#include "harness/run/terminal/closing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "harness/case/axes.h"
#include "reports/model/error_ratios.h"
#include "reports/model/gate.h"
#include "reports/model/time_shares.h"
#include "reports/text/text_layout.h"
#include "reports/text/text_safety.h"
#include "reports/text/throughput_table.h"
#include "reports/text/worst_failure.h"

namespace vparity::harness {
namespace {

using reports::Align;
using reports::CaseResult;
using reports::Status;

struct SweepTotals {
  std::string name;
  std::int64_t cases = 0, passed = 0, failed = 0;
  double error_ratio = 0;
  std::string output = {}, id = {};  ///< of the worst error ratio; empty: nothing was compared
};

void add(SweepTotals& totals, const CaseResult& result) {
  ++totals.cases;
  totals.passed += result.status == Status::passed ? 1 : 0;
  totals.failed += fails_gate(result) ? 1 : 0;
  for (const auto& output : result.outputs) {
    if (!totals.output.empty() && output.error_ratio <= totals.error_ratio) continue;
    totals.error_ratio = output.error_ratio;
    totals.output = output.name;
    totals.id = result.id;
  }
}

/// In the order of the plan, whose cases and the report's are the same.
std::vector<SweepTotals> totals_by_sweep(const Plan& plan, const std::vector<CaseResult>& cases) {
  std::vector<SweepTotals> sweeps;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& name = plan.cases[i].sweep;
    auto found = std::ranges::find(sweeps, name, &SweepTotals::name);
    if (found == sweeps.end()) found = sweeps.insert(sweeps.end(), SweepTotals{name});
    add(*found, cases[i]);
  }
  return sweeps;
}

/// Longer names are cut, so that the table keeps to 80 columns.
constexpr std::size_t name_width = 27;

std::vector<std::string> row_of(const SweepTotals& sweep) {
  auto name = reports::cut(sweep.name, name_width);
  auto cases = std::to_string(sweep.cases), passed = std::to_string(sweep.passed);
  if (sweep.output.empty()) return {name, cases, passed, "-"};
  return {name, cases, passed, fmt::format("{:.3g}", sweep.error_ratio), sweep.output, sweep.id};
}

std::string skipped_by_reason(const std::vector<CaseResult>& cases) {
  std::map<std::string, std::int64_t> reasons;
  for (const auto& result : cases) {
    if (result.status == Status::skipped) ++reasons[result.reason->text];
  }
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += reports::wrapped_behind(fmt::format("skipped {}: ", count), reports::one_line(reason));
  return text;
}

std::string known_by_entry(const reports::Report& report) {
  std::string text;
  for (const auto& known : report.known_failures) {
    const auto cases = std::ranges::count(report.cases, known.match, &CaseResult::known_failure);
    if (cases == 0) continue;
    text += reports::wrapped_behind(fmt::format("known {}: ", cases),
                                    reports::one_line(fmt::format("{} ({}, until {})", known.reason,
                                                                  known.issue, known.expiry)));
  }
  return text;
}

std::int64_t points_of(const std::vector<DroppedPoints>& dropped) {
  std::int64_t points = 0;
  for (const auto& entry : dropped) points += entry.points;
  return points;
}

std::string list(const char* what, const std::vector<DroppedPoints>& dropped) {
  std::string text;
  for (const auto& entry : dropped) {
    text += fmt::format("  {} {} of {}: {}\n", what, entry.points, entry.sweep,
                        reports::one_line(entry.reason));
  }
  return text;
}

std::string points_without_cases(const Plan& plan, Verbosity verbosity) {
  const auto dropped = plan.dropped_points(), excluded = points_of(plan.excluded);
  if (dropped + excluded == 0) return {};
  auto text =
      fmt::format("no cases: {} points whose pattern cannot occur, {} excluded by the matrix\n",
                  dropped, excluded);
  if (verbosity == Verbosity::verbose) {
    text += list("dropped", plan.dropped) + list("excluded", plan.excluded);
  }
  return text;
}

/// With a line that explains the columns.
std::string throughput_text(const std::vector<CaseResult>& cases) {
  const auto table = reports::throughput_table(cases);
  if (table.empty()) return {};
  return "throughput: median +- half of its 95 % interval; each other provider: time ratio,\n"
         "ratio that the byte counts predict, share of the floor of its own bytes\n" +
         reports::table_text(table, {Align::right});
}

std::string time_text(const reports::Report& report) {
  const auto text = time_shares(report);
  return text.empty() ? text : reports::wrapped(text);
}

std::string worst_failure_text(const reports::Report& report) {
  const auto* failure = worst_failure(report);
  return failure == nullptr ? "" : explanation(*failure, case_key(CaseParameters{}));
}

std::string paragraph(const std::string& lines) { return lines.empty() ? lines : "\n" + lines; }

}  // namespace

std::vector<ClosingLine> sweep_lines(const Plan& plan, const reports::Report& report) {
  const auto sweeps = totals_by_sweep(plan, report.cases);
  std::vector<std::vector<std::string>> rows{
      {"sweep", "cases", "passed", "worst", "output", "case"}};
  for (const auto& sweep : sweeps) rows.push_back(row_of(sweep));
  const auto table = reports::table_lines(
      rows, {Align::left, Align::right, Align::right, Align::right, Align::left});
  std::vector<ClosingLine> lines{{table.front(), false}};
  for (std::size_t i = 0; i < sweeps.size(); ++i)
    lines.push_back({table[i + 1], sweeps[i].failed > 0});
  return lines;
}

std::string closing_text(const Plan& plan, const reports::Report& report, Verbosity verbosity) {
  return paragraph(reports::table_text(reports::error_ratio_table(report.cases),
                                       {Align::left, Align::right})) +
         paragraph(throughput_text(report.cases)) + paragraph(time_text(report)) +
         paragraph(skipped_by_reason(report.cases) + known_by_entry(report) +
                   points_without_cases(plan, verbosity)) +
         paragraph(worst_failure_text(report));
}

}  // namespace vparity::harness
