#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/history/alarms.h"

namespace vparity::reports {
namespace {

std::string named(const AcceptedChange& accepted) {
  return fmt::format("accepted change {} ({}) from {}", accepted.match, name_of(accepted.measure),
                     accepted.from);
}

void note_accepted(const History& history, const std::vector<AcceptedChange>& accepted,
                   std::vector<std::string>& notes) {
  for (const auto& one : accepted) {
    if (count_matches(one, history) == 0)
      notes.push_back(named(one) + ": matches no case of this history");
    else if (!is_in_force(one, history.nights.back().started))
      notes.push_back(named(one) + ": begins after the newest night, so it is not in force yet");
  }
}

/// For each night, the series whose times are longer since then, if they have no anchor.
std::map<std::size_t, std::set<std::size_t>> slower_since(const HistoryCheck& check) {
  std::map<std::size_t, std::set<std::size_t>> slower;
  for (const auto& finding : check.findings)
    if (finding.is_open() && finding.unit == Trace::Unit::seconds)
      slower[finding.night].insert(finding.series);
  return slower;
}

/// Many times that are longer since the same night point to a slower machine.
void note_machine(const HistoryCheck& check, const History& history,
                  std::vector<std::string>& notes) {
  constexpr std::size_t few = 4;
  for (const auto& [night, series] : slower_since(check))
    if (series.size() >= few && 2 * series.size() >= check.judged_times)
      notes.push_back(
          fmt::format("{} of {} times are longer since {}: the machine may have become "
                      "slower; vparity nightly --anchor BUILD tells whether it has",
                      series.size(), check.judged_times, history.nights[night].started));
}

/// Nights that are not compared any more, although they may hold alarms.
void note_others(const History& history, std::vector<std::string>& notes) {
  const auto& newest = history.nights.back();
  const auto is_of_another = [&newest](const Night& night) {
    return night.matrix == newest.matrix &&
           (night.fingerprint != newest.fingerprint || night.anchor != newest.anchor);
  };
  const auto others = std::ranges::count_if(history.nights, is_of_another);
  if (others > 0)
    notes.push_back(fmt::format(
        "{} of {} nights have another machine, build or anchor than the newest one: they "
        "are not compared with it, and their alarms are not shown",
        others, history.nights.size()));
}

}  // namespace

std::vector<std::string> notes_on(const HistoryCheck& check, const History& history,
                                  const std::vector<AcceptedChange>& accepted) {
  std::vector<std::string> notes;
  if (!history.nights.empty()) note_accepted(history, accepted, notes);
  note_machine(check, history, notes);
  if (!history.nights.empty()) note_others(history, notes);
  return notes;
}

}  // namespace vparity::reports
