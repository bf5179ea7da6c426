#include "reports/history/history.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "reports/comparison/obstacles.h"
#include "reports/statistics/median.h"

namespace vparity::reports {
namespace {

/// The cases of a run by measure and id, and their times where these are comparable.
class Cases {
 public:
  explicit Cases(const Report& report) {
    for (const auto& result : report.cases) cases_[{result.measure(), result.id}] = &result;
  }

  double time_of(const std::string& id) const {
    const auto* timed = find(Measure::throughput, id);
    if (timed == nullptr || unusable(*timed, find(Measure::parity, id))) return Point::missing;
    return median(timed->timing().samples_s);
  }

 private:
  const CaseResult* find(Measure measure, const std::string& id) const {
    const auto found = cases_.find({measure, id});
    return found == cases_.end() ? nullptr : found->second;
  }

  std::map<std::pair<Measure, std::string>, const CaseResult*> cases_;
};

double largest_error_ratio(const CaseResult& result) {
  double largest = Point::missing;
  for (const auto& output : result.outputs)
    if (!(output.error_ratio <= largest)) largest = output.error_ratio;
  return largest;
}

/// `anchor` is null without an anchor.
Point point_of(const CaseResult& result, const Cases& cases, const Cases* anchor) {
  if (result.measure() == Measure::parity)
    return {.status = result.status, .value = largest_error_ratio(result)};
  return {.status = result.status,
          .value = cases.time_of(result.id),
          .anchor = anchor == nullptr ? Point::missing : anchor->time_of(result.id)};
}

double value_of(const Point& point, Trace::Unit unit) {
  return unit == Trace::Unit::ratio ? point.value / point.anchor : point.value;
}

Trace::Unit unit_of(const Series& series, const Night& newest) {
  if (series.measure == Measure::parity) return Trace::Unit::error_ratio;
  return newest.anchor.empty() ? Trace::Unit::seconds : Trace::Unit::ratio;
}

bool is_alike(const Night& night, const Night& newest, Trace::Unit unit) {
  return night.fingerprint == newest.fingerprint &&
         (unit != Trace::Unit::ratio || night.anchor == newest.anchor);
}

}  // namespace

std::string build_name(const Report& report) {
  const auto& git = report.provenance.at("git");
  const auto& name =
      git.at("revision").is_string() ? git.at("revision") : report.provenance.at("version");
  const bool dirty = git.at("dirty").is_boolean() && git.at("dirty").get<bool>();
  return name.get<std::string>() + (dirty ? "-dirty" : "");
}

std::string_view name_of(Trace::Unit unit) {
  switch (unit) {
    case Trace::Unit::seconds:
      return "seconds";
    case Trace::Unit::ratio:
      return "ratio";
    case Trace::Unit::error_ratio:
      break;
  }
  return "error_ratio";
}

Trace trace_of(const History& history, const Series& series) {
  const auto newest =
      std::ranges::find_if(series.points.rbegin(), series.points.rend(),
                           [](const Point& point) { return point.status.has_value(); });
  if (newest == series.points.rend()) return {};
  const auto& night = history.nights[series.points.rend() - newest - 1];
  Trace trace{.unit = unit_of(series, night)};
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const double value = value_of(series.points[i], trace.unit);
    if (!is_alike(history.nights[i], night, trace.unit) || std::isnan(value)) continue;
    trace.nights.push_back(i);
    trace.values.push_back(value);
  }
  return trace;
}

History night_of(const Report& report, const Report* anchor) {
  const auto& git = report.provenance.at("git");
  History history{.nights = {{.run_id = report.run.id,
                              .matrix = report.run.matrix,
                              .started = report.run.started,
                              .fingerprint = report.fingerprint,
                              .anchor = anchor == nullptr ? "" : build_name(*anchor),
                              .complete = report.run.complete,
                              .exit_code = report.run.exit_code}}};
  auto& night = history.nights.front();
  if (git.at("revision").is_string()) night.revision = git.at("revision");
  night.dirty = git.at("dirty").is_boolean() && git.at("dirty").get<bool>();
  const Cases cases(report);
  std::optional<Cases> anchor_cases;
  if (anchor != nullptr) anchor_cases.emplace(*anchor);
  for (const auto& result : report.cases)
    history.series.push_back(
        {.measure = result.measure(),
         .id = result.id,
         .key = result.key,
         .variant = result.was_timed() ? result.timing().variant : "",
         .repeat = result.repeat,
         .points = {point_of(result, cases, anchor_cases ? &*anchor_cases : nullptr)}});
  return history;
}

}  // namespace vparity::reports
