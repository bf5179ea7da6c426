#include "harness/run/outputs/report_reader.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/case/axes.h"
#include "harness/io/json/json_file.h"
#include "harness/io/json/json_place.h"
#include "harness/io/json/json_value.h"
#include "harness/io/json/schema_check.h"
#include "harness/io/usage_error.h"
#include "reports/schemas/schemas.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A case takes some kilobytes: more than anyone runs in one matrix.
constexpr std::size_t report_limit = std::size_t{512} << 20;

void require_schema_of_this_program(const json& value, const json& schema, const JsonPlace& place) {
  const json& expected = schema.at("properties").at("schema").at("const");
  if (!value.is_object() || !value.contains("schema"))
    place.fail(fmt::format("is no report (\"schema\": {})", expected.dump()));
  if (value["schema"] != expected)
    (place / "schema")
        .fail(fmt::format("is {}, must be {}", shown(value["schema"]), expected.dump()));
}

void refuse_contradictions(const reports::Report& report, const JsonPlace& place) {
  std::set<std::string> ids;
  for (std::size_t i = 0; const auto& result : report.cases) {
    const auto here = place / "cases" / i++ / "id";
    if (result.id != case_id(result.key))
      here.fail(fmt::format("{} is not the id of its key", result.id));
    if (result.measure() == reports::Measure::throughput &&
        result.status == reports::Status::passed && !result.was_timed())
      here.fail("passed and was not measured");
    if (!ids.insert(result.id).second) here.fail(fmt::format("{} stands here twice", result.id));
  }
  const auto counted = to_json(reports::summarise(report.cases, report.summary.dropped));
  if (to_json(report.summary) != counted) (place / "summary").fail("does not agree with the cases");
}

struct MeasuredFile {
  const char* name;
  std::string_view schema;
};

/// Those that are there.
std::vector<MeasuredFile> files_of(const fs::path& run) {
  std::vector<MeasuredFile> files{{"parity.json", reports::parity_schema()},
                                  {"throughput.json", reports::throughput_schema()}};
  std::erase_if(files, [&](const MeasuredFile& file) {
    std::error_code ignored;
    return !fs::exists(run / file.name, ignored);
  });
  return files;
}

/// A run that was killed leaves its journal alone.
void refuse_unfinished(const fs::path& run) {
  std::error_code ignored;
  const bool unfinished = fs::exists(run / "journal.jsonl", ignored) && files_of(run).empty();
  if (unfinished)
    throw UsageError(
        fmt::format("{}: the run has not ended; run --resume --out goes on with it", run.string()));
}

reports::Report read_file(const fs::path& run, const MeasuredFile& file) {
  const JsonPlace place(run / file.name);
  const json value = read_json_file(place.file(), report_limit);
  const json schema = json::parse(file.schema);
  require_schema_of_this_program(value, schema, place);
  require_valid(value, schema, place.file());
  auto report = reports::report_from_json(value);
  refuse_contradictions(report, place);
  return report;
}

/// The cases of `more`, which is of the same run, stand behind those of `report`.
void join(reports::Report& report, const reports::Report& more, const std::string& run) {
  if (to_json(report.run) != to_json(more.run))
    throw UsageError(fmt::format("{}: parity.json and throughput.json are not of one run", run));
  report.cases.insert(report.cases.end(), more.cases.begin(), more.cases.end());
  report.summary = reports::summarise(report.cases, report.summary.dropped);
}

}  // namespace

std::vector<fs::path> inputs_of(const std::string& run) {
  const fs::path folder(run);
  return {folder / "parity.json", folder / "throughput.json", folder / "journal.jsonl"};
}

reports::Report read_report(const std::string& run) {
  refuse_unfinished(run);
  const auto files = files_of(run);
  if (files.empty()) return read_file(run, {"parity.json", reports::parity_schema()});
  auto report = read_file(run, files[0]);
  for (std::size_t i = 1; i < files.size(); ++i) join(report, read_file(run, files[i]), run);
  return report;
}

}  // namespace vparity::harness
