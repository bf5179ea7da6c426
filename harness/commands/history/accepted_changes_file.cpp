#include "harness/commands/history/accepted_changes_file.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "harness/io/json/json_file.h"
#include "harness/io/json/json_place.h"
#include "harness/io/json/json_value.h"
#include "harness/io/json/schema_check.h"
#include "harness/run/outputs/reviewed_entry.h"
#include "reports/schemas/schemas.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using reports::AcceptedChange;
using reports::Measure;

AcceptedChange entry_from(const json& value, const JsonPlace& place) {
  AcceptedChange entry{
      .match = value["match"],
      .measure = value["measure"] == "parity" ? Measure::parity : Measure::throughput,
      .from = value["from"],
      .reason = value["reason"],
      .commit = value["commit"]};
  require_possible_glob(entry.match, place / "match");
  require_day(entry.from, place / "from");
  return entry;
}

}  // namespace

std::vector<AcceptedChange> read_accepted_changes(const std::string& path) {
  const json value = read_json_file(path);
  static const json schema = json::parse(reports::accepted_changes_schema());
  require_valid(value, schema, path);
  std::vector<AcceptedChange> entries;
  std::set<std::tuple<std::string, Measure, std::string>> seen;
  for (std::size_t i = 0; const json& entry : value["entries"]) {
    const auto place = JsonPlace(path) / "entries" / i++;
    const auto& read = entries.emplace_back(entry_from(entry, place));
    if (!seen.insert({read.match, read.measure, read.from}).second)
      (place / "match")
          .fail(fmt::format("{} is listed twice with this measure and day", shown(entry["match"])));
  }
  return entries;
}

}  // namespace vparity::harness
