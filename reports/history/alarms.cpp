#include "reports/history/alarms.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <future>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <tuple>

#include "reports/history/last_week.h"
#include "reports/history/shifts.h"

namespace vparity::reports {
namespace {

/// Index of the newest night that has the case.
std::optional<std::size_t> last_night_of(const Series& series) {
  for (std::size_t i = series.points.size(); i > 0; --i)
    if (series.points[i - 1].status) return i - 1;
  return {};
}

/// Index of the newest complete night of each matrix.
using NewestNights = std::map<std::string, std::size_t>;

NewestNights newest_nights(const History& history) {
  NewestNights newest;
  for (std::size_t i = 0; i < history.nights.size(); ++i)
    if (history.nights[i].complete) newest[history.nights[i].matrix] = i;
  return newest;
}

/// A case is gone after a week without it. A night that ran only some cases, by a filter or as a
/// shard, changes nothing.
bool is_gone(const History& history, const NewestNights& newest, const Series& series) {
  const auto last = last_night_of(series);
  if (!last) return true;
  const auto found = newest.find(history.nights[*last].matrix);
  return found != newest.end() &&
         !within_a_week(history.nights[*last], history.nights[found->second]);
}

/// The values that are compared, as logarithms, and the night of each.
struct Judged {
  Trace::Unit unit = Trace::Unit::error_ratio;
  std::vector<std::size_t> nights;
  std::vector<double> values;
};

/// Leaves out nights in which the case did not pass: the gate reports those.
Judged judged_part(const History& history, const Series& series, const std::string& from) {
  const auto trace = trace_of(history, series);
  Judged judged{.unit = trace.unit, .nights = {}, .values = {}};
  for (std::size_t i = 0; i < trace.nights.size(); ++i) {
    const std::size_t night = trace.nights[i];
    const bool is_error_ratio = trace.unit == Trace::Unit::error_ratio;
    const double value =
        is_error_ratio ? std::max(trace.values[i], error_ratio_floor) : trace.values[i];
    if (series.points[night].status != Status::passed || history.nights[night].started < from ||
        !(value > 0) || std::isinf(value))
      continue;
    judged.nights.push_back(night);
    judged.values.push_back(std::log(value));
  }
  return judged;
}

Finding finding_of(const Shift& shift, const Judged& judged, std::size_t series) {
  Finding finding{.series = series,
                  .unit = judged.unit,
                  .last_before = judged.nights[shift.at - 1],
                  .night = judged.nights[shift.at],
                  .by_sudden_rise = shift.by_sudden_rise,
                  .by_change_point = shift.by_change_point,
                  .before = std::exp(shift.before),
                  .after = std::exp(shift.after),
                  .p = shift.p};
  if (shift.back) finding.back = judged.nights[*shift.back];
  return finding;
}

void count(const Finding& finding, HistoryCheck& check) {
  if (!finding.is_worse())
    ++check.better;
  else if (finding.back)
    ++check.back;
}

/// The largest open change of one series.
std::optional<double> largest_open_change(std::span<const Finding> findings) {
  std::optional<double> largest;
  for (const auto& finding : findings)
    if (finding.is_open()) largest = std::max(largest.value_or(0), finding.change());
  return largest;
}

/// What was found in one series.
struct Judgement {
  bool gone = false, enough = false;
  std::vector<Finding> findings;
  std::optional<double> alarm = {};  ///< the largest change that is open
};

Judgement judgement_of(const History& history, const NewestNights& newest,
                       const std::vector<AcceptedChange>& accepted, std::size_t place) {
  const auto& series = history.series[place];
  if (is_gone(history, newest, series)) return {.gone = true, .findings = {}};
  const auto from = accepted_from(accepted, series, history.nights.back().started);
  const auto judged = judged_part(history, series, from);
  Judgement judgement{.enough = judged.values.size() >= fewest_to_judge(), .findings = {}};
  for (const auto& shift : shifts_of(judged.values))
    judgement.findings.push_back(finding_of(shift, judged, place));
  judgement.alarm = largest_open_change(judgement.findings);
  return judgement;
}

void add(const Judgement& judgement, Measure measure, HistoryCheck& check) {
  if (judgement.gone) {
    ++check.gone;
    return;
  }
  ++(judgement.enough ? check.judged : check.too_short);
  if (judgement.enough && measure == Measure::throughput) ++check.judged_times;
  if (judgement.alarm) ++(measure == Measure::parity ? check.open_parity : check.open_throughput);
  for (const auto& finding : judgement.findings) {
    count(finding, check);
    check.findings.push_back(finding);
  }
}

/// Open findings first, grouped by series in the order of the nights, the series with the largest
/// change first. Then the remaining findings, the newest first.
void sort(const std::vector<Judgement>& judgements, std::vector<Finding>& findings) {
  const auto place = [&](const Finding& finding) {
    const double change = *judgements[finding.series].alarm;
    return std::tuple(-change, finding.series, finding.night);
  };
  const auto others = std::ranges::stable_partition(findings, &Finding::is_open).begin();
  std::ranges::sort(findings.begin(), others, {}, place);
  std::ranges::stable_sort(others, findings.end(), std::greater<>(), &Finding::night);
}

/// Calls `work(i)` once for each i below `count`, on all cores. Rethrows an exception of a call
/// when all threads have ended.
template <class Work>
void for_each_index(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t threads =
      std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), count);
  std::vector<std::future<void>> others;
  for (std::size_t k = 1; k < threads; ++k) others.push_back(std::async(std::launch::async, take));
  take();
  for (auto& other : others) other.get();
}

}  // namespace

HistoryCheck judge(const History& history, const std::vector<AcceptedChange>& accepted) {
  const auto newest = newest_nights(history);
  std::vector<Judgement> judgements(history.series.size());
  for_each_index(judgements.size(), [&](std::size_t i) {
    judgements[i] = judgement_of(history, newest, accepted, i);
  });
  HistoryCheck check;
  for (std::size_t i = 0; i < judgements.size(); ++i)
    add(judgements[i], history.series[i].measure, check);
  sort(judgements, check.findings);
  return check;
}

ExitCode exit_code(const HistoryCheck& check) {
  if (check.open_throughput + check.open_parity > 0) return exit_failed;
  return check.judged == 0 ? exit_nothing_ran : exit_passed;
}

}  // namespace vparity::reports
