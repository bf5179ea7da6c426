// `vparity schema`: the JSON Schemas that this program was built with.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "harness/cli/commands.h"
#include "harness/cli/text_option.h"
#include "harness/matrix/matrix.h"
#include "harness/standard_output.h"
#include "harness/usage_error.h"
#include "reports/schemas.h"

namespace vparity::harness {
namespace {

std::string_view schema_named(const std::string& name) {
  if (name == "matrix") return matrix_schema();
  if (name == "parity") return reports::parity_schema();
  if (name == "known-failures") return reports::known_failures_schema();
  if (name == "throughput") return reports::throughput_schema();
  if (name == "comparison") return reports::comparison_schema();
  throw UsageError(fmt::format(
      "schema: unknown schema '{}'{}", name,
      suggestion(name, {"matrix", "parity", "throughput", "known-failures", "comparison"})));
}

}  // namespace

void add_schema_command(CLI::App& app, int& exit_code) {
  const auto name = std::make_shared<std::string>();
  CLI::App& command = *app.add_subcommand(
      "schema",
      "Print the JSON Schema (draft 2020-12) of matrices, reports, known failures, comparisons");
  command.add_option("NAME", *name, "Which one")
      ->required()
      ->check(not_empty)
      ->type_name("matrix|parity|throughput|known-failures|comparison");
  command.footer("Example:\n  vparity schema matrix > matrix.schema.json");
  command.callback([name, &exit_code] {
    print_out(schema_named(*name));
    exit_code = 0;
  });
}

}  // namespace vparity::harness
