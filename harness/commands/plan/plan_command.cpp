// `vparity plan`: what a run would do.
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/program.h"
#include "harness/commands/command_line/shared_options.h"
#include "harness/io/standard_output.h"
#include "harness/plan/plan.h"
#include "harness/plan/plan_listing.h"
#include "reports/model/exit_code.h"

namespace vparity::harness {
namespace {

struct PlanArguments {
  std::vector<std::string> matrix_files;
  PlanOptions options;
};

int list_plan(const PlanArguments& arguments) {
  const auto& options = arguments.options;
  print_out(plan_listing(make_plan(arguments.matrix_files, options)));
  if (!options.backend_choice.empty()) print_error_line("vparity plan: " + options.backend_choice);
  return reports::exit_passed;
}

}  // namespace

void add_plan_command(Command& program) {
  auto& command = program.add_command(
      "plan", "List the cases of matrices, their groups and their memory; run nothing");
  const auto arguments = std::make_shared<PlanArguments>();
  add_plan_options(command, arguments->matrix_files, arguments->options);
  command.footer(
      "Examples:\n"
      "  vparity plan matrices/ci.json\n"
      "  vparity plan matrices/ci.json --filter '*,tp=4,*' --transport threads");
  command.action([arguments] { return list_plan(*arguments); });
}

}  // namespace vparity::harness
