// `vparity schema`: the JSON Schemas that this program was built with.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/text_option.h"
#include "harness/plan/matrix/matrix.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
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

void add_schema_command(CLI::App& app, int& exit_code) {
  const auto name = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand(
      "schema", "Print the JSON Schema (draft 2020-12) of what this program reads and writes");
  command.add_option("NAME", *name, "Which one")
      ->required()
      ->check(not_empty)
      ->type_name(fmt::format("{}", fmt::join(schema_names(), "|")));
  command.footer("Example:\n  vparity schema matrix > matrix.schema.json");
  command.callback([name, &exit_code] {
    print_out(schema_named(*name));
    exit_code = 0;
  });
}

}  // namespace vparity::harness
