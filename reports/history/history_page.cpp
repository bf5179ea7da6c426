#include "reports/history/history_page.h"

#include <algorithm>
#include <span>
#include <utility>

#include "reports/history/last_week.h"
#include "reports/history/packed_series.h"

namespace vparity::reports {
namespace {

using nlohmann::ordered_json;

/// The viewer unpacks a whole block to draw one series: 365 nights of a block are 120 kB.
constexpr std::size_t series_per_block = 64;

ordered_json to_json(const Night& night) {
  return {{"run", night.run_id},
          {"matrix", night.matrix},
          {"started", night.started},
          {"revision", night.revision},
          {"dirty", night.dirty},
          {"fingerprint", night.fingerprint},
          {"anchor", night.anchor},
          {"complete", night.complete},
          {"exit_code", night.exit_code ? ordered_json(*night.exit_code) : ordered_json(nullptr)}};
}

ordered_json night_or_null(std::optional<std::size_t> night) {
  return night ? ordered_json(*night) : ordered_json(nullptr);
}

ordered_json to_json(const Finding& finding) {
  return {{"series", finding.series},
          {"night", finding.night},
          {"last_before", finding.last_before},
          {"sudden_rise", finding.by_sudden_rise},
          {"change_point", finding.by_change_point},
          {"before", number(finding.before)},
          {"after", number(finding.after)},
          {"p", finding.p ? ordered_json(*finding.p) : ordered_json(nullptr)},
          {"back", night_or_null(finding.back)},
          {"worse", finding.is_worse()},
          {"open", finding.is_open()}};
}

ordered_json to_json(const AcceptedChange& accepted) {
  return {{"from", accepted.from}, {"reason", accepted.reason}, {"commit", accepted.commit}};
}

ordered_json status_or_null(std::optional<Status> status) {
  return status ? ordered_json(name_of(*status)) : ordered_json(nullptr);
}

/// One array for each member: names are written once, and equal kinds of values compress well.
ordered_json columns_of(const History& history, const LastWeek& week) {
  ordered_json columns;
  for (const auto* name : {"measure", "id", "key", "variant", "unit", "status_before", "status_now",
                           "value_before", "value_now", "value_newest"})
    columns[name] = ordered_json::array();
  for (const auto& series : history.series) {
    const auto change = week_change(history, series, week);
    columns["measure"].push_back(name_of(series.measure));
    columns["id"].push_back(series.id);
    columns["key"].push_back(series.key);
    columns["variant"].push_back(series.variant);
    columns["unit"].push_back(name_of(change.unit));
    columns["status_before"].push_back(status_or_null(change.before));
    columns["status_now"].push_back(status_or_null(change.now));
    columns["value_before"].push_back(number(change.value_before));
    columns["value_now"].push_back(number(change.value_now));
    columns["value_newest"].push_back(number(change.value_newest));
  }
  return columns;
}

bool did_not_pass(const ordered_json& status) {
  return !status.is_null() && status != name_of(Status::passed) &&
         status != name_of(Status::skipped);
}

/// The commands of series that did not pass or have a finding; null for all others.
ordered_json commands_of(const HistoryPage& page, const ordered_json& status_now) {
  std::vector<bool> found(status_now.size());
  for (const auto& finding : page.check.findings) found.at(finding.series) = true;
  auto commands = ordered_json::array();
  for (std::size_t i = 0; i < found.size(); ++i)
    commands.push_back(found[i] || did_not_pass(status_now[i])
                           ? ordered_json(page.history->series[i].repeat)
                           : ordered_json(nullptr));
  return commands;
}

ordered_json status_names() {
  auto names = ordered_json::array();
  for (int i = 0; i <= static_cast<int>(Status::not_run); ++i)
    names.push_back(name_of(static_cast<Status>(i)));
  return names;
}

/// For each series the index of the entry in force: the one with the latest day.
ordered_json accepted_of(const HistoryPage& page) {
  const auto& accepted = page.accepted;
  const auto* history = page.history;
  auto numbers = ordered_json::array();
  for (const auto& series : history->series) {
    const auto from = accepted_from(accepted, series, history->nights.back().started);
    const auto entry = std::ranges::find_if(accepted, [&](const AcceptedChange& one) {
      return one.from == from && matches(one, series);
    });
    numbers.push_back(entry == accepted.end() ? ordered_json(nullptr)
                                              : ordered_json(entry - accepted.begin()));
  }
  return numbers;
}

template <typename Item>
ordered_json list_of(const std::vector<Item>& items) {
  auto list = ordered_json::array();
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}

}  // namespace

ordered_json history_json(const HistoryPage& page, std::size_t first_block) {
  const auto& history = *page.history;
  const auto week = last_week(history);
  ordered_json json{{"first_block", first_block},
                    {"series_per_block", series_per_block},
                    {"statuses", status_names()},
                    {"week",
                     {{"first", week.first},
                      {"before", night_or_null(week.before)},
                      {"now", night_or_null(week.now)}}},
                    {"nights", list_of(history.nights)},
                    {"series", columns_of(history, week)},
                    {"findings", list_of(page.check.findings)},
                    {"accepted", list_of(page.accepted)},
                    {"judged", page.check.judged},
                    {"too_short", page.check.too_short},
                    {"notes", notes_on(page.check, history, page.accepted)}};
  json["series"]["repeat"] = commands_of(page, json["series"]["status_now"]);
  json["series"]["accepted"] = accepted_of(page);
  return json;
}

std::vector<std::string> history_blocks(const History& history) {
  std::vector<std::string> blocks;
  for (std::span all(history.series); !all.empty();) {
    const auto size = std::min(all.size(), series_per_block);
    blocks.push_back(packed_series(all.first(size)));
    all = all.subspan(size);
  }
  return blocks;
}

}  // namespace vparity::reports
