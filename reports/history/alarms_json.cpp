#include <cmath>

#include "reports/history/alarms.h"
#include "reports/history/shifts.h"

namespace vparity::reports {
namespace {

using nlohmann::ordered_json;

ordered_json night_json(const Night& night) {
  const auto revision = night.revision.empty() ? ordered_json() : ordered_json(night.revision);
  return {{"run_id", night.run_id},
          {"matrix", night.matrix},
          {"started", night.started},
          {"revision", revision},
          {"dirty", night.dirty}};
}

const char* state_of(const Finding& finding) {
  if (!finding.is_worse()) return "better";
  return finding.back ? "back" : "open";
}

ordered_json rules_json(const Finding& finding) {
  auto rules = ordered_json::array();
  if (finding.by_sudden_rise) rules.push_back("sudden_rise");
  if (finding.by_change_point) rules.push_back("change_point");
  return rules;
}

ordered_json finding_json(const Finding& finding, const History& history) {
  const auto& series = history.series[finding.series];
  return {{"measure", name_of(series.measure)},
          {"id", series.id},
          {"key", series.key},
          {"variant", series.variant},
          {"state", state_of(finding)},
          {"rules", rules_json(finding)},
          {"since", night_json(history.nights[finding.night])},
          {"last_before", night_json(history.nights[finding.last_before])},
          {"unit", name_of(finding.unit)},
          {"before", finding.before},
          {"after", finding.after},
          {"change", finding.change()},
          {"p", finding.p ? ordered_json(*finding.p) : ordered_json()},
          {"back", finding.back ? night_json(history.nights[*finding.back]) : ordered_json()},
          {"repeat", series.repeat}};
}

ordered_json accepted_json(const AcceptedChange& accepted, const History& history) {
  const bool in_force =
      !history.nights.empty() && is_in_force(accepted, history.nights.back().started);
  return {{"match", accepted.match},   {"measure", name_of(accepted.measure)},
          {"from", accepted.from},     {"reason", accepted.reason},
          {"commit", accepted.commit}, {"cases", count_matches(accepted, history)},
          {"in_force", in_force}};
}

/// A difference of logarithms as the share that it was written as.
double share_of(double difference) {
  constexpr double digits = 1e9;
  return std::round(std::expm1(difference) * digits) / digits;
}

ordered_json criteria_json() {
  return {{"change_point",
           {{"p", looking_back.level},
            {"fewest", looking_back.fewest},
            {"smallest", share_of(looking_back.smallest)}}},
          {"sudden_rise",
           {{"in_a_row", sudden.in_a_row},
            {"window", sudden.window},
            {"fewest", sudden.fewest},
            {"smallest", share_of(sudden.smallest)}}},
          {"error_ratio_floor", error_ratio_floor}};
}

ordered_json summary_json(const HistoryCheck& check, const History& history) {
  return {{"nights", history.nights.size()},
          {"cases", history.series.size()},
          {"judged", check.judged},
          {"too_short", check.too_short},
          {"gone", check.gone},
          {"open", {{"throughput", check.open_throughput}, {"parity", check.open_parity}}},
          {"back", check.back},
          {"better", check.better},
          {"exit_code", exit_code(check)}};
}

}  // namespace

ordered_json to_json(const HistoryCheck& check, const History& history,
                     const std::vector<AcceptedChange>& accepted) {
  auto findings = ordered_json::array(), entries = ordered_json::array();
  for (const auto& one : check.findings) findings.push_back(finding_json(one, history));
  for (const auto& one : accepted) entries.push_back(accepted_json(one, history));
  return {{"schema", "vparity.history-check/1"},
          {"criteria", criteria_json()},
          {"newest", history.nights.empty() ? ordered_json() : night_json(history.nights.back())},
          {"notes", notes_on(check, history, accepted)},
          {"summary", summary_json(check, history)},
          {"accepted", std::move(entries)},
          {"findings", std::move(findings)}};
}

}  // namespace vparity::reports
