#include "harness/plan/matrix/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/case/axes.h"
#include "harness/io/json/json_require.h"
#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"
#include "harness/plan/matrix/impossible_point.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

/// Every point of a product is held against all of them.
constexpr std::size_t exclusion_limit = 100;

struct AxisValues {
  std::string axis;
  std::vector<json> values;
};

struct Exclusion {
  std::vector<std::string> axes;
  CaseParameters values;
  DroppedPoints excluded;

  bool matches(const CaseParameters& point) const {
    return std::all_of(axes.begin(), axes.end(), [&](const std::string& axis) {
      return axis_value(point, axis) == axis_value(values, axis);
    });
  }
};

/// What `measure` names: parity, throughput or both.
std::set<json> read_measure(const json& measure, const JsonPlace& place) {
  std::set<json> seen;
  for (std::size_t i = 0; const json& what : require_list(measure, place)) {
    const JsonPlace element = place / i++;
    if (what != "parity" && what != "throughput")
      element.fail(fmt::format("{} is not parity or throughput", shown(what)));
    if (!seen.insert(what).second) element.fail(fmt::format("{} stands here twice", shown(what)));
  }
  return seen;
}

/// Every value is read once, so that an error names its place and a point of the product has none.
std::vector<AxisValues> read_axes(const json& axes, const JsonPlace& place, PointReader& points) {
  require_object(axes, place, axis_names(), {});
  if (axes.empty()) place.fail("names no axis");
  std::vector<AxisValues> result;
  for (const auto& [axis, list] : axes.items()) {
    AxisValues& values = result.emplace_back(AxisValues{axis, {}});
    for (std::size_t i = 0; const json& value : require_list(list, place / axis)) {
      CaseParameters scratch;
      points.set(scratch, axis, value, place / axis / i++);
      values.values.push_back(axis_value(scratch, axis));
    }
  }
  return result;
}

std::vector<Exclusion> read_exclusions(const json& list, const JsonPlace& place,
                                       const std::string& sweep, PointReader& points) {
  std::vector<Exclusion> result;
  if (require_list(list, place).size() > exclusion_limit)
    place.fail(fmt::format("has more than {} exclusions", exclusion_limit));
  for (std::size_t i = 0; const json& entry : list) {
    const JsonPlace here = place / i++;
    require_object(entry, here, {"when", "reason"}, {"when", "reason"});
    Exclusion exclusion;
    points.set_all(exclusion.values, entry["when"], here / "when");
    for (const auto& [axis, value] : entry["when"].items()) exclusion.axes.push_back(axis);
    exclusion.excluded = {sweep, require_text(entry["reason"], here / "reason"), 0};
    result.push_back(std::move(exclusion));
  }
  return result;
}

/// Not more than `limit` + 1, so that no file can make it overflow.
std::int64_t product_size(const std::vector<AxisValues>& axes, std::int64_t limit) {
  std::int64_t size = 1;
  for (const AxisValues& axis : axes)
    size = std::min(limit + 1, size * static_cast<std::int64_t>(axis.values.size()));
  return size;
}

/// Point number `index` of the product; the last axis runs fastest.
CaseParameters point_of(const std::vector<AxisValues>& axes, const CaseParameters& defaults,
                        std::int64_t index) {
  CaseParameters point = defaults;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const auto size = static_cast<std::int64_t>(axis->values.size());
    set_axis(point, axis->axis, axis->values[static_cast<std::size_t>(index % size)]);
    index /= size;
  }
  return point;
}

/// Counts the point with the first exclusion that names it.
bool is_excluded(const CaseParameters& point, std::vector<Exclusion>& exclusions) {
  const auto excluding = std::find_if(exclusions.begin(), exclusions.end(),
                                      [&](const Exclusion& one) { return one.matches(point); });
  if (excluding == exclusions.end()) return false;
  ++excluding->excluded.points;
  return true;
}

void require_vocab(const CaseParameters& point, const JsonPlace& place) {
  if (point.vocab == 0) place.fail("vocab is missing: it has no default");
}

}  // namespace

void SweepReader::read(const json& sweep, const JsonPlace& place) {
  require_object(sweep, place, {"name", "measure", "axes", "exclude", "cases"}, {"name"});
  dropped_.clear();
  current_.sweep = require_name(sweep["name"], place / "name");
  const auto measure = read_measure(sweep.value("measure", json({"parity"})), place / "measure");
  current_.parity = measure.contains("parity");
  current_.throughput = measure.contains("throughput");
  if (!sweep.contains("axes") && !sweep.contains("cases"))
    place.fail("the sweep is empty: it has neither \"axes\" nor \"cases\"");
  if (sweep.contains("exclude") && !sweep.contains("axes"))
    (place / "exclude").fail("is about the product of \"axes\", which is missing");
  const std::size_t before = matrix_.cases.size();
  if (sweep.contains("axes")) read_product(sweep, place);
  if (sweep.contains("cases")) read_cases(sweep["cases"], place / "cases");
  if (matrix_.cases.size() == before)
    place.fail("the sweep is empty: every point is excluded or cannot occur");
}

void SweepReader::read_product(const json& sweep, const JsonPlace& place) {
  const std::vector<AxisValues> axes = read_axes(sweep["axes"], place / "axes", points_);
  std::vector<Exclusion> exclusions;
  if (sweep.contains("exclude"))
    exclusions = read_exclusions(sweep["exclude"], place / "exclude", current_.sweep, points_);
  const std::int64_t size = product_size(axes, matrix_point_limit);
  count_points(size, place / "axes");
  for (std::int64_t i = 0; i < size; ++i) {
    current_.parameters = point_of(axes, defaults_, i);
    require_vocab(current_.parameters, place / "axes");
    if (!is_excluded(current_.parameters, exclusions)) add_if_possible();
  }
  for (const Exclusion& exclusion : exclusions) matrix_.excluded.push_back(exclusion.excluded);
  for (const auto& [reason, points] : dropped_)
    matrix_.dropped.push_back({current_.sweep, reason, points});
}

void SweepReader::add_if_possible() {
  const std::string reason = impossible_point(current_);
  if (reason.empty())
    matrix_.cases.push_back(current_);
  else
    ++dropped_[reason];
}

void SweepReader::read_cases(const json& cases, const JsonPlace& place) {
  count_points(static_cast<std::int64_t>(require_list(cases, place).size()), place);
  for (std::size_t i = 0; const json& point : cases) {
    const JsonPlace here = place / i++;
    current_.parameters = defaults_;
    points_.set_all(current_.parameters, point, here);
    require_vocab(current_.parameters, here);
    if (const std::string reason = impossible_point(current_); !reason.empty()) here.fail(reason);
    matrix_.cases.push_back(current_);
  }
}

void SweepReader::count_points(std::int64_t points, const JsonPlace& place) {
  point_count_ += points;
  if (point_count_ > matrix_point_limit)
    place.fail(fmt::format("the matrix has more than {} points", matrix_point_limit));
}

}  // namespace vparity::harness
