#include "harness/outputs/report_reader.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <system_error>

#include "harness/case/axes.h"
#include "harness/case/json_value.h"
#include "harness/matrix/json_file.h"
#include "harness/matrix/json_place.h"
#include "harness/outputs/schema_check.h"
#include "harness/usage_error.h"
#include "reports/schemas.h"

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

void refuse_contradictions(const reports::ParityReport& report, const JsonPlace& place) {
  std::set<std::string> ids;
  for (std::size_t i = 0; const auto& result : report.cases) {
    const auto here = place / "cases" / i++ / "id";
    if (result.id != case_id(result.key))
      here.fail(fmt::format("{} is not the id of its key", result.id));
    if (!ids.insert(result.id).second) here.fail(fmt::format("{} stands here twice", result.id));
  }
  const auto counted = to_json(reports::summarise(report.cases, report.summary.dropped));
  if (to_json(report.summary) != counted) (place / "summary").fail("does not agree with the cases");
}

/// A run that was killed leaves its journal alone.
void refuse_unfinished(const fs::path& run) {
  std::error_code ignored;
  const bool unfinished =
      fs::exists(run / "journal.jsonl", ignored) && !fs::exists(run / "parity.json", ignored);
  if (unfinished)
    throw UsageError(
        fmt::format("{}: the run has not ended; run --resume --out goes on with it", run.string()));
}

}  // namespace

reports::ParityReport read_report(const std::string& run) {
  refuse_unfinished(run);
  const JsonPlace place(fs::path(run) / "parity.json");
  const json value = read_json_file(place.file(), report_limit);
  static const json schema = json::parse(reports::parity_schema());
  require_schema_of_this_program(value, schema, place);
  require_valid(value, schema, place.file());
  auto report = reports::parity_from_json(value);
  refuse_contradictions(report, place);
  return report;
}

}  // namespace vparity::harness
