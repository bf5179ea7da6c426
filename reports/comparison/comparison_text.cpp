#include "reports/comparison/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/statistics/median.h"
#include "reports/text/failure_text.h"
#include "reports/text/text_layout.h"
#include "reports/text/text_safety.h"

namespace vparity::reports {
namespace {

constexpr std::size_t shown_of_each = 20;
constexpr std::size_t named_of_each = 4;

std::string revision_of(const Report& report) {
  const auto& git = report.provenance.at("git");
  if (!git.at("revision").is_string()) return "";
  constexpr std::size_t digits = 12;
  const bool dirty = git.at("dirty").is_boolean() && git.at("dirty").get<bool>();
  return " " + git.at("revision").get<std::string>().substr(0, digits) + (dirty ? " (dirty)" : "");
}

std::string side_line(const char* name, const std::vector<ComparedRun>& runs) {
  const auto& first = runs.front();
  const auto more = runs.size() > 1 ? fmt::format(" and {} more runs", runs.size() - 1) : "";
  return cut(fmt::format("{}  {} ({}{}){}", name, first.path, first.report.run.started,
                         revision_of(first.report), more)) +
         "\n";
}

std::string more_line(std::size_t total, bool all) {
  if (all || total <= shown_of_each) return {};
  return fmt::format("and {} more: -v shows all\n", total - shown_of_each);
}

std::size_t shown(std::size_t total, bool all) {
  return all ? total : std::min(total, shown_of_each);
}

std::string status_text(const std::optional<Status>& status) {
  return status ? std::string(name_of(*status)) : "-";
}

std::string error_ratios_text(const std::vector<ErrorRatioChange>& error_ratios) {
  std::string text;
  for (const auto& one : error_ratios)
    text += fmt::format("{}{} {} -> {:.3g}", text.empty() ? "" : ", ", one.output,
                        one.base ? fmt::format("{:.3g}", *one.base) : "-", one.head);
  return text;
}

std::string parity_lines(const ParityDifference& one, const std::string& default_key) {
  const auto what = one.error_ratios.empty()
                        ? fmt::format("{} -> {}", status_text(one.base), status_text(one.head))
                        : error_ratios_text(one.error_ratios);
  std::string text =
      cut(fmt::format("{:<12}  {:<16}  {}", one.id, name_of(one.change), what)) + "\n";
  if (const auto axes = axes_text(one.key, default_key); !axes.empty())
    text += wrapped(axes, case_id_indent);
  if (one.change == ParityChange::regressed) text += "  repeat: " + one_line(one.repeat) + "\n";
  return text;
}

std::string parity_counts(const Comparison& comparison) {
  const auto count = [&](ParityChange change) { return comparison.count(change); };
  return fmt::format(
      "parity of {}: {} regressed, {} fixed, {} changed, {} ratios grew, {} new, {} missing",
      comparison.parity_compared, count(ParityChange::regressed), count(ParityChange::fixed),
      count(ParityChange::changed), count(ParityChange::error_ratio_grew),
      count(ParityChange::fresh), count(ParityChange::missing));
}

std::string parity_part(const Comparison& comparison, const std::string& default_key, bool all) {
  std::string text = parity_counts(comparison) + "\n";
  if (comparison.parity_failing_in_both > 0)
    text += fmt::format("{} fail in both\n", comparison.parity_failing_in_both);
  const auto& found = comparison.parity;
  for (std::size_t i = 0; i < shown(found.size(), all); ++i)
    text += parity_lines(found[i], default_key);
  return text + more_line(found.size(), all);
}

std::string times_text(const ThroughputDifference& one) {
  if (one.base_s.empty() || one.head_s.empty()) return {};
  return fmt::format("{} -> {}  ", time_text(median(one.base_s)), time_text(median(one.head_s)));
}

std::string row(std::string_view id, std::string_view change, std::string_view interval,
                std::string_view seen, std::string_view pairs, std::string_view verdict) {
  return cut(fmt::format("{:<12}  {:>8}  {:>19}  {:>9}  {:>5}  {}", id, change, interval, seen,
                         pairs, verdict)) +
         "\n";
}

std::string throughput_lines(const ThroughputDifference& one, const std::string& default_key) {
  const auto observed = one.observed ? change_text(*one.observed) : "-";
  const auto line =
      one.change
          ? row(one.id, change_text(one.change->ratio),
                fmt::format("{} {}", change_text(one.change->low), change_text(one.change->high)),
                change_text(one.change->detectable), std::to_string(one.change->pairs), one.verdict)
          : row(one.id, observed, "-", "-", std::to_string(one.base_s.size()), one.verdict);
  return line + wrapped(times_text(one) + one.variant + " " + axes_text(one.key, default_key),
                        case_id_indent);
}

bool is_compared(const ThroughputDifference& one) {
  return one.verdict == "regressed" || one.verdict == "improved" || one.verdict == "inconclusive" ||
         one.verdict == "equivalent";
}

std::string joined(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i)
    text += (i == 0 ? "" : " ") + words[i];
  return words.size() > most ? text + " ..." : text;
}

/// The cases that are not compared, by reason: their number and the ids of the first ones.
std::string others_part(const Comparison& comparison, bool all) {
  std::map<std::string, std::vector<std::string>> ids;
  for (const auto& one : comparison.throughput)
    if (!is_compared(one)) {
      const auto why =
          one.verdict == "not_comparable" ? "not comparable: " + one.reason->text : one.verdict;
      ids[why].push_back(one.id);
    }
  std::string text;
  for (const auto& [why, found] : ids) {
    text += cut(fmt::format("{} {}", found.size(), why)) + "\n";
    text += wrapped(joined(found, all ? found.size() : named_of_each), 2);
  }
  return text;
}

std::string throughput_part(const Comparison& comparison, const std::string& default_key,
                            bool all) {
  if (comparison.throughput.empty()) return {};
  std::vector<const ThroughputDifference*> told;
  for (const auto& one : comparison.throughput)
    if (is_compared(one) && (all || one.verdict != "equivalent")) told.push_back(&one);
  const auto& criteria = comparison.options.criteria;
  std::string text =
      cut(fmt::format("throughput: head's time against base's, {:g} % intervals, threshold {:g} %",
                      100 * (1 - criteria.error_rate()), 100 * criteria.threshold)) +
      "\n";
  if (!told.empty()) text += row("case", "change", "interval", "seen from", "pairs", "verdict");
  for (std::size_t i = 0; i < shown(told.size(), all); ++i)
    text += throughput_lines(*told[i], default_key);
  return "\n" + text + more_line(told.size(), all) + others_part(comparison, all);
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const std::string& default_key,
                            bool all) {
  std::string text = side_line("base", comparison.base) + side_line("head", comparison.head);
  for (const auto& note : comparison.notes) text += wrapped("note: " + one_line(note));
  if (comparison.parity_compared > 0 || !comparison.parity.empty())
    text += "\n" + parity_part(comparison, default_key, all);
  text += throughput_part(comparison, default_key, all);
  return text + "\n" + verdict_line(comparison) + "\n";
}

std::string verdict_line(const Comparison& comparison) {
  if (comparison.throughput.empty()) return parity_counts(comparison);
  const auto parity = comparison.count(ParityChange::regressed);
  return fmt::format(
      "{} regressed, {} improved, {} equivalent, {} inconclusive, {} not comparable{}",
      comparison.count("regressed"), comparison.count("improved"), comparison.count("equivalent"),
      comparison.count("inconclusive"),
      comparison.count("not_comparable") + comparison.count("missing"),
      parity > 0 ? fmt::format("; parity: {} regressed", parity) : "");
}

}  // namespace vparity::reports
