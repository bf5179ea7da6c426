#include "reports/history/alarms_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/failure_text.h"
#include "reports/text/text_layout.h"
#include "reports/text/text_safety.h"

namespace vparity::reports {
namespace {

constexpr std::size_t shown_alarms = 20;

std::string day_of(const Night& night) { return night.started.substr(0, 10); }

std::string build_of(const Night& night) {
  constexpr std::size_t digits = 12;
  if (night.revision.empty()) return "-";
  return night.revision.substr(0, digits) + (night.dirty ? "+" : "");
}

std::string levels_text(const Finding& finding) {
  if (finding.unit == Trace::Unit::seconds)
    return time_text(finding.before) + " -> " + time_text(finding.after);
  const bool is_ratio = finding.unit == Trace::Unit::ratio;
  return fmt::format("{:.3g} -> {:.3g} of {}", finding.before, finding.after,
                     is_ratio ? "anchor" : "bound");
}

std::string rules_text(const Finding& finding) {
  std::string text;
  if (finding.by_change_point) text = "change point";
  if (finding.by_sudden_rise) text += text.empty() ? "sudden rise" : "; sudden rise";
  return text;
}

std::string row(std::string_view id, std::string_view change, std::string_view since,
                std::string_view build, std::string_view levels) {
  return cut(fmt::format("{:<12}  {:>9}  {:<10}  {:<13}  {}", id, change, since, build, levels)) +
         "\n";
}

/// The finding, the case, and the last good night (for a bisection) with the rules that found it.
std::string finding_lines(const Finding& finding, const History& history,
                          const std::string& default_key) {
  const auto& series = history.series[finding.series];
  const auto &since = history.nights[finding.night], &last = history.nights[finding.last_before];
  const auto what = series.measure == Measure::parity ? "parity" : series.variant;
  return row(series.id, change_text(finding.change()), day_of(since), build_of(since),
             levels_text(finding)) +
         wrapped(fmt::format("{} {}", what, axes_text(series.key, default_key)), case_id_indent) +
         wrapped(fmt::format("good {} {}; {}", day_of(last), build_of(last), rules_text(finding)),
                 case_id_indent);
}

std::string head_line() { return row("case", "change", "since", "build", "before -> after"); }

/// The open findings of one series, in their order.
using Alarm = std::vector<Finding>;

std::vector<Alarm> alarms_of(const HistoryCheck& check) {
  std::vector<Alarm> alarms;
  for (const auto& finding : check.findings) {
    if (!finding.is_open()) break;
    if (alarms.empty() || alarms.back().front().series != finding.series) alarms.emplace_back();
    alarms.back().push_back(finding);
  }
  return alarms;
}

/// One finding from the level before the first step to the level after the last.
Finding whole_of(const Alarm& alarm) {
  auto whole = alarm.front();
  whole.after = alarm.back().after;
  return whole;
}

std::string steps_text(const Alarm& alarm, const History& history) {
  auto text = fmt::format("{} steps:", alarm.size());
  for (const auto& step : alarm)
    text += fmt::format("{} {} {}", &step == &alarm.front() ? "" : ",", change_text(step.change()),
                        day_of(history.nights[step.night]));
  return text;
}

std::string alarms_part(const HistoryCheck& check, const History& history,
                        const std::string& default_key, bool all) {
  const auto alarms = alarms_of(check);
  if (alarms.empty()) return {};
  std::string text = "\nslower, or nearer to a bound\n" + head_line();
  const std::size_t shown = all ? alarms.size() : std::min(alarms.size(), shown_alarms);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto whole = whole_of(alarms[i]);
    text += finding_lines(whole, history, default_key);
    if (alarms[i].size() > 1) text += wrapped(steps_text(alarms[i], history), case_id_indent);
    text += "  repeat: " + one_line(history.series[whole.series].repeat) + "\n";
  }
  if (shown < alarms.size())
    text += fmt::format("and {} more: -v shows all\n", alarms.size() - shown);
  return text;
}

std::string others_part(const HistoryCheck& check, const History& history,
                        const std::string& default_key) {
  std::string text;
  for (const auto& finding : check.findings) {
    if (finding.is_open()) continue;
    text += finding_lines(finding, history, default_key);
    const auto state =
        finding.back ? "back since " + day_of(history.nights[*finding.back]) : "better";
    text += wrapped(state, case_id_indent);
  }
  return text.empty() ? text : "\nbetter, or back again\n" + head_line() + text;
}

std::string history_lines(const HistoryCheck& check, const History& history) {
  if (history.nights.empty()) return "the history has no nights\n";
  const auto& newest = history.nights.back();
  const auto count = history.nights.size();
  return cut(fmt::format("history of {} night{}, {} to {} ({} {})", count, count == 1 ? "" : "s",
                         day_of(history.nights.front()), day_of(newest), newest.matrix,
                         build_of(newest))) +
         "\n" +
         wrapped(fmt::format("{} cases judged, {} with too few nights, {} gone", check.judged,
                             check.too_short, check.gone));
}

}  // namespace

std::string history_check_text(const HistoryCheck& check, const History& history,
                               const std::vector<AcceptedChange>& accepted,
                               const std::string& default_key, bool all) {
  std::string text = history_lines(check, history);
  for (const auto& note : notes_on(check, history, accepted))
    text += wrapped("note: " + one_line(note));
  text += alarms_part(check, history, default_key, all);
  if (all) text += others_part(check, history, default_key);
  return text + "\n" + verdict_line(check) + "\n";
}

std::vector<std::string> alarm_messages(const HistoryCheck& check, const History& history,
                                        const std::string& default_key) {
  std::vector<std::string> messages;
  for (const auto& alarm : alarms_of(check)) {
    const auto whole = whole_of(alarm);
    const auto& series = history.series[whole.series];
    const auto& since = history.nights[whole.night];
    const bool is_error_ratio = whole.unit == Trace::Unit::error_ratio;
    messages.push_back(fmt::format("{} since {} ({}): {} {}: {} ({})\nrepeat: {}",
                                   is_error_ratio ? "nearer to its bound" : "slower", day_of(since),
                                   build_of(since), series.id, axes_text(series.key, default_key),
                                   levels_text(whole), change_text(whole.change()), series.repeat));
  }
  return messages;
}

std::string verdict_line(const HistoryCheck& check) {
  return fmt::format("{} slower, {} nearer to a bound; {} back again, {} better",
                     check.open_throughput, check.open_parity, check.back, check.better);
}

}  // namespace vparity::reports
