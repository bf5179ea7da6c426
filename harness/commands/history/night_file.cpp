#include "harness/commands/history/night_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "harness/case/sha256.h"
#include "harness/io/json/json_file.h"
#include "harness/io/json/json_place.h"
#include "harness/io/json/schema_check.h"
#include "harness/run/outputs/reviewed_entry.h"
#include "reports/model/json_text.h"
#include "reports/schemas/schemas.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using reports::Measure;
using reports::Point;
using reports::Series;

/// The limit of reports: more than anyone runs in one matrix.
constexpr std::size_t file_limit = std::size_t{512} << 20;
constexpr std::size_t day_length = std::string_view("YYYY-MM-DD").size();
constexpr std::size_t list_digits = 16, run_digits = 12;

std::string name_of_list(const std::string& text) {
  return sha256_hex(text).substr(0, list_digits) + ".json";
}

ordered_json or_null(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

std::string text_or_empty(const json& value) {
  return value.is_null() ? std::string() : value.get<std::string>();
}

ordered_json value_to_json(double value) {
  return std::isnan(value) ? ordered_json(nullptr) : reports::number(value);
}

double value_from_json(const json& value) {
  return value.is_null() ? Point::missing : reports::number_from(value);
}

ordered_json values_of(const std::vector<Series>& series, double Point::*value) {
  auto values = ordered_json::array();
  for (const auto& one : series) values.push_back(value_to_json(one.points[0].*value));
  return values;
}

json read_valid(const std::string& path, std::string_view schema) {
  json value = read_json_file(path, file_limit);
  require_valid(value, json::parse(schema), path);
  return value;
}

Series series_from_json(const json& value) {
  return {.measure = value["measure"] == "parity" ? Measure::parity : Measure::throughput,
          .id = value["id"],
          .key = value["key"],
          .variant = value["variant"],
          .repeat = value["repeat"]};
}

reports::Night night_from_json(const json& value) {
  reports::Night night{.run_id = value["run_id"],
                       .matrix = value["matrix"],
                       .started = value["started"],
                       .revision = text_or_empty(value["revision"]),
                       .dirty = value["dirty"],
                       .fingerprint = value["fingerprint"],
                       .anchor = text_or_empty(value["anchor"]),
                       .complete = value["complete"]};
  if (!value["exit_code"].is_null()) night.exit_code = value["exit_code"].get<int>();
  return night;
}

void read_values(const json& value, const char* member, double Point::*to,
                 std::vector<Point>& points, const std::string& path) {
  const json& values = value[member];
  if (values.size() != points.size())
    (JsonPlace(path) / member)
        .fail(fmt::format("{} values for {} cases", values.size(), points.size()));
  std::ranges::transform(values, points, points.begin(), [to](const json& one, Point point) {
    point.*to = value_from_json(one);
    return point;
  });
}

}  // namespace

NamedText case_list_file(const std::vector<Series>& series) {
  ordered_json cases = ordered_json::array();
  for (const auto& one : series)
    cases.push_back({{"measure", name_of(one.measure)},
                     {"id", one.id},
                     {"key", one.key},
                     {"variant", one.variant},
                     {"repeat", one.repeat}});
  auto text = reports::json_line({{"schema", "vparity.case-list/1"}, {"cases", cases}});
  auto name = name_of_list(text);
  return {std::move(name), std::move(text)};
}

NamedText night_file(const reports::History& history) {
  const auto& night = history.nights.at(0);
  ordered_json status = ordered_json::array();
  for (const auto& one : history.series) status.push_back(name_of(*one.points[0].status));
  ordered_json value{
      {"schema", "vparity.night/1"},
      {"run_id", night.run_id},
      {"matrix", night.matrix},
      {"started", night.started},
      {"revision", or_null(night.revision)},
      {"dirty", night.dirty},
      {"fingerprint", night.fingerprint},
      {"anchor", or_null(night.anchor)},
      {"complete", night.complete},
      {"exit_code", night.exit_code ? ordered_json(*night.exit_code) : ordered_json(nullptr)},
      {"case_list", case_list_file(history.series).name.substr(0, list_digits)},
      {"status", status},
      {"values", values_of(history.series, &Point::value)}};
  if (!night.anchor.empty()) value["anchor_values"] = values_of(history.series, &Point::anchor);
  std::string time = night.started;
  std::erase_if(time, [](unsigned char c) { return std::isalnum(c) == 0; });
  return {fmt::format("{}-{}.json", time, sha256_hex(night.run_id).substr(0, run_digits)),
          reports::json_line(value)};
}

std::vector<Series> read_case_list(const std::string& path) {
  const json value = read_valid(path, reports::case_list_schema());
  std::vector<Series> series;
  for (const json& one : value["cases"]) series.push_back(series_from_json(one));
  if (case_list_file(series).name != std::filesystem::path(path).filename())
    JsonPlace(path).fail("the content does not match the name: the list has been changed");
  return series;
}

NightFile read_night(const std::string& path) {
  const json value = read_valid(path, reports::night_schema());
  require_day(value["started"].get<std::string>().substr(0, day_length),
              JsonPlace(path) / "started");
  if (value["anchor"].is_null() == value.contains("anchor_values"))
    (JsonPlace(path) / "anchor").fail("anchor and anchor_values go together");
  NightFile file{.night = night_from_json(value),
                 .case_list = value["case_list"].get<std::string>() + ".json",
                 .points = {}};
  for (const json& status : value["status"])
    file.points.push_back({.status = reports::status_named(status.get<std::string>())});
  read_values(value, "values", &Point::value, file.points, path);
  if (value.contains("anchor_values"))
    read_values(value, "anchor_values", &Point::anchor, file.points, path);
  return file;
}

}  // namespace vparity::harness
