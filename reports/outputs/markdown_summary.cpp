#include "reports/outputs/markdown_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "reports/model/error_ratios.h"
#include "reports/model/gate.h"
#include "reports/model/json_text.h"
#include "reports/model/time_shares.h"
#include "reports/text/failure_text.h"
#include "reports/text/text_safety.h"
#include "reports/text/throughput_table.h"

namespace vparity::reports {
namespace {

/// A page with a limited size.
class Page {
 public:
  explicit Page(std::size_t limit) : limit_(limit) {}

  void add(const std::string& text) { text_ += text; }

  /// Adds a table. Rows that do not fit are counted below it.
  void add_table(const std::vector<std::string>& head,
                 const std::vector<std::vector<std::string>>& rows) {
    add(line(head) + line(std::vector<std::string>(head.size(), "---")));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = line(rows[i]);
      if (text_.size() + row.size() + reserve > limit_)
        return add(fmt::format("\nand {} more: see parity.json\n", rows.size() - i));
      add(row);
    }
  }

  const std::string& text() const { return text_; }

 private:
  /// Space for everything that is not a row: headings, heads of tables, ends of folded sections.
  static constexpr std::size_t reserve = 8192;

  static std::string line(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const auto& cell : cells) text += " " + cell + " |";
    return text + "\n";
  }

  std::size_t limit_;
  std::string text_;
};

using Rows = std::vector<std::vector<std::string>>;

void add_folded(Page& page, const std::string& title, const std::vector<std::string>& head,
                const Rows& rows) {
  if (rows.empty()) return;
  page.add(fmt::format("\n<details><summary>{}</summary>\n\n", title));
  page.add_table(head, rows);
  page.add("\n</details>\n");
}

std::string_view verdict_of(int exit_code) {
  switch (exit_code) {
    case exit_passed:
      return "passed";
    case exit_infrastructure:
      return "error: ranks crashed or could not run";
    case exit_timeout:
      return "ran into a time limit";
    case exit_nothing_ran:
      return "nothing could run here";
    default:
      return is_by_signal(exit_code) ? "interrupted" : "failed";
  }
}

std::string heading(const Report& report) {
  const int code = report.run.exit_code.value_or(exit_code(report, {}, false));
  return fmt::format("# {}: {}\n\n**{}** (exit code {})\n", markdown_code(report.run.matrix),
                     verdict_of(code), verdict_line(report.summary), code);
}

void add_complaints(Page& page, const Report& report) {
  Rows rows;
  for (const auto& complaint : other_complaints(report))
    rows.push_back({markdown_code(complaint.code), markdown_code(complaint.text)});
  if (rows.empty()) return;
  page.add("\n");
  page.add_table({"the gate says no", "because"}, rows);
}

void add_failures(Page& page, const Report& report, const std::string& default_key) {
  Rows rows;
  for (const auto* result : failing_cases(report)) {
    rows.push_back({std::string(name_of(result->status)),
                    markdown_code(brief_name(*result, default_key)),
                    markdown_code(what_failed(*result)), markdown_code(result->repeat)});
  }
  if (rows.empty()) return;
  page.add("\n## Failures\n\n");
  page.add_table({"status", "case", "what", "repeat"}, rows);
}

void add_known_failures(Page& page, const Report& report, const std::string& default_key) {
  Rows entries;
  for (const auto& known : report.known_failures) {
    entries.push_back({std::string(name_of(known.state)), markdown_code(known.match),
                       markdown_code(known.reason), markdown_code(known.owner),
                       markdown_code(known.issue), known.expiry});
  }
  add_folded(page, fmt::format("{} entries of known failures", entries.size()),
             {"state", "match", "reason", "owner", "issue", "expiry"}, entries);
  Rows cases;
  for (const auto& result : report.cases) {
    if (result.known_failure.empty()) continue;
    cases.push_back({std::string(name_of(result.status)),
                     markdown_code(brief_name(result, default_key)),
                     markdown_code(what_failed(result)), markdown_code(result.known_failure)});
  }
  add_folded(page, fmt::format("{} known failures", cases.size()),
             {"status", "case", "what", "known as"}, cases);
}

void add_skipped(Page& page, const Report& report) {
  std::map<std::pair<std::string, std::string>, std::int64_t> by_reason;
  for (const auto& result : report.cases) {
    if (result.status != Status::skipped) continue;
    const auto reason = result.reason.value_or(Reason{});
    ++by_reason[{reason.code, reason.text}];
  }
  Rows rows;
  for (const auto& [reason, count] : by_reason)
    rows.push_back(
        {std::to_string(count), markdown_code(reason.first), markdown_code(reason.second)});
  add_folded(page, fmt::format("{} skipped", report.summary.skipped), {"cases", "code", "reason"},
             rows);
}

std::string worst_error_ratio(const CaseResult& result) {
  const auto worst = std::ranges::max_element(result.outputs, {}, &OutputResult::error_ratio);
  if (worst == result.outputs.end()) return "-";
  return fmt::format("{:.3g} ({})", worst->error_ratio, worst->name);
}

void add_error_ratios(Page& page, const Report& report) {
  auto rows = error_ratio_table(report.cases);
  if (rows.empty()) return;
  const auto head = rows.front();
  rows.erase(rows.begin());
  add_folded(page, "Error ratios by output", head, rows);
}

void add_throughput(Page& page, const Report& report) {
  auto rows = throughput_table(report.cases);
  if (rows.empty()) return;
  const auto head = rows.front();
  rows.erase(rows.begin());
  page.add(
      "\n## Throughput\n\nMedian ± half of its 95 % interval. Each further column shows three "
      "numbers: "
      "the time relative to the row's kernels, the ratio that the byte counts predict, and the "
      "share "
      "of memory bandwidth it reaches.\n\n");
  page.add_table(head, rows);
}

void add_passed(Page& page, const Report& report, const std::string& default_key) {
  Rows rows;
  for (const auto& result : report.cases) {
    if (result.status != Status::passed) continue;
    rows.push_back({markdown_code(brief_name(result, default_key)),
                    markdown_code(worst_error_ratio(result)),
                    fmt::format("{:.3f}", result.wall_s)});
  }
  add_folded(page, fmt::format("{} passed", rows.size()), {"case", "worst error ratio", "seconds"},
             rows);
}

std::string compact(const nlohmann::ordered_json& value) {
  auto text = json_line(value);
  text.pop_back();  // the line's end
  return text;
}

void add_provenance(Page& page, const Report& report) {
  const auto& run = report.run;
  Rows rows{{"run", markdown_code(run.id)},
            {"command", markdown_code(fmt::format("{}", fmt::join(run.argv, " ")))},
            {"seed", std::to_string(run.seed)},
            {"started", markdown_code(run.started)},
            {"finished", markdown_code(run.finished)}};
  if (const auto shares = time_shares(report); !shares.empty())
    rows.push_back({"time", shares.substr(std::string_view("time: ").size())});
  if (run.shard_count > 1)
    rows.push_back({"shard", fmt::format("{} of {}", run.shard_index, run.shard_count)});
  for (const auto& [name, value] : report.provenance.items())
    rows.push_back({markdown_code(name), markdown_code(compact(value))});
  for (const auto& host : report.hosts)
    rows.push_back(
        {"host", markdown_code(fmt::format("{}, {}, {} cores", host.value("name", ""),
                                           host.value("cpu", ""), host.value("cores", 0)))});
  add_folded(page, "Where it ran", {"", ""}, rows);
}

}  // namespace

std::string markdown_summary(const Report& report, const std::string& default_key,
                             std::size_t limit) {
  Page page(limit);
  page.add(heading(report));
  add_complaints(page, report);
  add_failures(page, report, default_key);
  add_known_failures(page, report, default_key);
  add_skipped(page, report);
  add_throughput(page, report);
  add_error_ratios(page, report);
  add_provenance(page, report);
  add_passed(page, report, default_key);
  return page.text();
}

}  // namespace vparity::reports
