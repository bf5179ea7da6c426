#include "harness/run/outputs/known_failures_file.h"

#include <fmt/format.h>

#include <set>

#include "harness/io/json/json_file.h"
#include "harness/io/json/json_place.h"
#include "harness/io/json/json_value.h"
#include "harness/io/json/schema_check.h"
#include "harness/io/usage_error.h"
#include "harness/run/outputs/reviewed_entry.h"
#include "reports/schemas/schemas.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

reports::KnownFailure entry_from(const json& value, const JsonPlace& place) {
  reports::KnownFailure entry{.match = value["match"],
                              .reason = value["reason"],
                              .owner = value["owner"],
                              .issue = value["issue"],
                              .expiry = value["expiry"]};
  require_possible_glob(entry.match, place / "match");
  require_day(entry.expiry, place / "expiry");
  return entry;
}

}  // namespace

std::vector<reports::KnownFailure> read_known_failures(const std::string& path) {
  const json value = read_json_file(path);
  static const json schema = json::parse(reports::known_failures_schema());
  require_valid(value, schema, path);
  std::vector<reports::KnownFailure> entries;
  std::set<std::string> seen;
  for (std::size_t i = 0; const json& entry : value["entries"]) {
    const auto place = JsonPlace(path) / "entries" / i++;
    entries.push_back(entry_from(entry, place));
    if (!seen.insert(entries.back().match).second)
      (place / "match").fail(fmt::format("{} stands here twice", shown(entry["match"])));
  }
  return entries;
}

}  // namespace vparity::harness
