#include "harness/commands/command_line/program.h"

#include <CLI/CLI.hpp>
#include <fstream>

#include "harness/commands/command_line/command.h"
#include "harness/commands/command_line/help_format.h"
#include "harness/commands/command_line/usage_message.h"
#include "harness/io/usage_error.h"
#include "harness/machine/build_info.h"
#include "reports/model/exit_code.h"

namespace vparity::harness {
namespace {

constexpr const char* examples_and_exit_codes =
    "Examples:\n"
    "  vparity run matrices/smoke.json          check every case of a matrix\n"
    "  vparity plan matrices/ci.json            list the cases, run nothing\n"
    "  vparity selftest                         does the gate catch known bugs?\n"
    "  vparity eval logits.safetensors --tp 4   check the kernels on your tensors\n"
    "  vparity compare yesterday today          what changed between two runs?\n"
    "\n"
    "Exit codes:\n"
    "    0  passed: at least one case passed, the rest passed or were skipped\n"
    "    1  failed: a case failed, is untrusted or did not run; a known failure is\n"
    "       out of date. eval: an error ratio above 1. compare, ab: a confirmed\n"
    "       regression. history check: an alarm\n"
    "    2  invalid command line, matrix, report or input file; nothing was run\n"
    "    3  infrastructure: the launch failed, a rank crashed or ended with an error,\n"
    "       a file could not be written\n"
    "    4  a case ran into its time limit\n"
    "    5  compare, ab: inconclusive or not comparable; parity is fine\n"
    "   77  nothing could run: all cases were skipped. history check: too few nights\n"
    "  129, 130, 143  interrupted (HUP, INT, TERM); journal and reports are valid\n"
    "\n"
    "`vparity COMMAND --help` explains a command.";

void add_commands(Command& program) {
  add_run_command(program);
  add_plan_command(program);
  add_eval_command(program);
  add_selftest_command(program);
  add_doctor_command(program);
  add_report_command(program);
  add_merge_command(program);
  add_compare_command(program);
  add_ab_command(program);
  add_history_command(program);
  add_nightly_command(program);
  add_schema_command(program);
}

}  // namespace

Program::Program()
    : app_(std::make_unique<CLI::App>(
          "Checks and times vocab-parallel kernels against a double-precision reference.",
          "vparity")) {
  app_->formatter(std::make_shared<HelpFormat>());
  app_->get_formatter()->label("SUBCOMMAND", "COMMAND");
  app_->set_help_flag("-h,--help", "Print this help and exit");
  app_->set_version_flag("--version", "vparity " + version_text(build_info()),
                         "Print version and git revision");
  root_ = std::make_unique<Command>(*app_);
  root_->footer(examples_and_exit_codes);
  add_commands(*root_);
}

Program::~Program() = default;

std::function<int()> Program::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    app_->exit(help_or_version);
    return [] { return reports::exit_passed; };
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_message(*app_, error));
  }
  if (auto action = root_->chosen_action()) return action;
  throw UsageError("a command is missing (see vparity --help)");
}

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  return arguments;
}

}  // namespace vparity::harness
