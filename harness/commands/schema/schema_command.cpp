// `vparity schema`: the JSON Schemas of this build.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/command.h"
#include "harness/commands/command_line/program.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "harness/plan/matrix/matrix.h"
#include "reports/model/exit_code.h"
#include "reports/schemas/schemas.h"

namespace vparity::harness {
namespace {

struct PublishedSchema {
  std::string_view name;
  std::string_view (*text)();
};

constexpr PublishedSchema schemas[] = {{"matrix", matrix_schema},
                                       {"parity", reports::parity_schema},
                                       {"throughput", reports::throughput_schema},
                                       {"known-failures", reports::known_failures_schema},
                                       {"comparison", reports::comparison_schema},
                                       {"night", reports::night_schema},
                                       {"case-list", reports::case_list_schema},
                                       {"history-check", reports::history_check_schema},
                                       {"accepted-changes", reports::accepted_changes_schema}};

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const auto& schema : schemas) names.emplace_back(schema.name);
  return names;
}

std::string_view schema_named(const std::string& name) {
  const auto* found = std::ranges::find(schemas, name, &PublishedSchema::name);
  if (found == std::end(schemas))
    throw UsageError(
        fmt::format("schema: unknown schema '{}'{}", name, suggestion(name, schema_names())));
  return found->text();
}

}  // namespace

void add_schema_command(Command& program) {
  auto& command = program.add_command(
      "schema", "Print a JSON Schema (draft 2020-12) of a file that vparity reads or writes");
  const auto name = std::make_shared<std::string>();
  command
      .add_text("NAME", *name, "NAME",
                fmt::format("Which schema: {}", fmt::join(schema_names(), ", ")))
      .required();
  command.footer("Example:\n  vparity schema matrix > matrix.schema.json");
  command.action([name] {
    print_out(schema_named(*name));
    return reports::exit_passed;
  });
}

}  // namespace vparity::harness
