#include "harness/run/closing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "reports/margins.h"
#include "reports/text_safety.h"
#include "reports/throughput_table.h"
#include "reports/time_shares.h"

namespace vparity::harness {
namespace {

using reports::CaseResult;
using reports::Status;

struct SweepTotals {
  std::string name;
  std::int64_t cases = 0;
  std::int64_t passed = 0;
  double margin = 0;
  std::string output = {};  ///< of the worst margin; empty: nothing was compared
};

void add(SweepTotals& totals, const CaseResult& result) {
  ++totals.cases;
  totals.passed += result.status == Status::passed ? 1 : 0;
  for (const auto& output : result.outputs) {
    if (!totals.output.empty() && output.margin <= totals.margin) continue;
    totals.margin = output.margin;
    totals.output = output.name;
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

std::string sweep_table(const std::vector<SweepTotals>& sweeps) {
  std::size_t width = std::string_view("sweep").size();
  for (const auto& sweep : sweeps) width = std::max(width, sweep.name.size());
  auto table =
      fmt::format("{:<{}}  {:>6}  {:>6}  {}\n", "sweep", width, "cases", "passed", "worst margin");
  for (const auto& sweep : sweeps) {
    const auto margin =
        sweep.output.empty() ? "-" : fmt::format("{:.3g} ({})", sweep.margin, sweep.output);
    table += fmt::format("{:<{}}  {:>6}  {:>6}  {}\n", sweep.name, width, sweep.cases, sweep.passed,
                         margin);
  }
  return table;
}

std::string skipped_by_reason(const std::vector<CaseResult>& cases) {
  std::map<std::string, std::int64_t> reasons;
  for (const auto& result : cases) {
    if (result.status == Status::skipped) ++reasons[result.reason->text];
  }
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += reports::one_line(fmt::format("skipped {}: {}", count, reason)) + "\n";
  return text;
}

std::string known_by_entry(const reports::Report& report) {
  std::string text;
  for (const auto& known : report.known_failures) {
    const auto cases = std::ranges::count(report.cases, known.match, &CaseResult::known_failure);
    if (cases == 0) continue;
    text += reports::one_line(fmt::format("known {}: {} ({}, until {})", cases, known.reason,
                                          known.issue, known.expiry)) +
            "\n";
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

std::string points_that_are_no_cases(const Plan& plan, Verbosity verbosity) {
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

/// Numbers right, names left.
std::string aligned(const std::vector<std::vector<std::string>>& table) {
  std::string text;
  for (const auto& row : table) {
    text += fmt::format("{:<13}", row.front());
    for (std::size_t i = 1; i < row.size(); ++i)
      text += fmt::format(" {:>{}}", row[i], i + 1 < row.size() ? 9 : 13);
    text += '\n';
  }
  return text;
}

/// Every column as wide as its widest cell, two spaces apart.
std::string in_columns(const std::vector<std::vector<std::string>>& table) {
  std::vector<std::size_t> widths;
  for (const auto& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : table) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

/// With a line that says what its columns are.
std::string throughput_text(const std::vector<CaseResult>& cases) {
  const auto table = reports::throughput_table(cases);
  if (table.empty()) return {};
  return "throughput: median +- half of its 95 % interval; other kernel sets: times as long, "
         "times\n"
         "as long by their bytes, share of the floor of their bytes\n" +
         in_columns(table);
}

std::string ended_line(const std::string& text) { return text.empty() ? text : text + "\n"; }

std::string paragraph(const std::string& lines) { return lines.empty() ? lines : "\n" + lines; }

}  // namespace

std::string closing_text(const Plan& plan, const reports::Report& report, Verbosity verbosity) {
  return sweep_table(totals_by_sweep(plan, report.cases)) +
         paragraph(aligned(reports::margin_table(report.cases))) +
         paragraph(throughput_text(report.cases)) + paragraph(ended_line(time_shares(report))) +
         paragraph(skipped_by_reason(report.cases) + known_by_entry(report) +
                   points_that_are_no_cases(plan, verbosity));
}

}  // namespace vparity::harness
