// `vparity plan`: what a run would do.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/plan_arguments.h"
#include "harness/plan/plan.h"
#include "harness/plan/plan_listing.h"
#include "harness/io/standard_output.h"

namespace vparity::harness {

void add_plan_command(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::vector<std::string> matrix_files;
    PlanOptions options;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand(
      "plan", "List the cases of matrices, their groups and memory; run nothing");
  add_plan_arguments(command, arguments->matrix_files, arguments->options);
  command.footer(
      "Examples:\n"
      "  vparity plan matrices/ci.json\n"
      "  vparity plan matrices/ci.json --filter '*,tp=4,*' --transport threads");
  command.callback([arguments, &exit_code] {
    const auto& options = arguments->options;
    print_out(plan_listing(make_plan(arguments->matrix_files, options)));
    if (!options.backend_choice.empty())
      print_error_line("vparity plan: " + options.backend_choice);
    exit_code = 0;
  });
}

}  // namespace vparity::harness
