#include "harness/commands/command_line/program.h"

#include <fmt/format.h>

#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/usage_message.h"
#include "harness/io/usage_error.h"
#include "harness/machine/build_info.h"

namespace vparity::harness {
namespace {

constexpr const char* examples_and_exit_codes =
    "Examples:\n"
    "  vparity run matrices/smoke.json          check every case, write "
    "vparity-out/.../parity.json\n"
    "  vparity plan matrices/ci.json            what would run\n"
    "  vparity selftest                         the gate on kernels that are wrong\n"
    "  vparity eval logits.safetensors --tp 4   your own tensors\n"
    "  vparity compare yesterday today          what changed between two runs\n"
    "\n"
    "Exit codes:\n"
    "    0  at least one case passed, the rest passed or were skipped\n"
    "    1  failed, untrusted or missing results, known failures that are out of date;\n"
    "       for eval an error ratio above 1, for compare and ab a confirmed regression,\n"
    "       for history check an alarm\n"
    "    2  usage, or an invalid matrix, report or input file; decided before any work\n"
    "    3  infrastructure: launch failed, a rank crashed or ended with an error,\n"
    "       a report cannot be written\n"
    "    4  a case ran into its time limit\n"
    "    5  compare, ab: inconclusive or not comparable, parity fine\n"
    "   77  nothing could run here: all cases were skipped; history check: too few nights\n"
    "  129, 130, 143  interrupted (HUP, INT, TERM); journal and reports are valid";

void add_subcommands(CLI::App& app, int& exit_code) {
  add_run_command(app, exit_code);
  add_plan_command(app, exit_code);
  add_eval_command(app, exit_code);
  add_selftest_command(app, exit_code);
  add_doctor_command(app, exit_code);
  add_schema_command(app, exit_code);
  add_report_command(app, exit_code);
  add_merge_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_ab_command(app, exit_code);
  add_history_command(app, exit_code);
  add_nightly_command(app, exit_code);
}

}  // namespace

Program::Program()
    : app_("Checks vocab-parallel LLM kernels against a full-vocabulary double reference.",
           "vparity") {
  constexpr std::size_t option_column = 34;
  app_.set_version_flag("--version", "vparity " + version_text(build_info()),
                        "Print version and git revision");
  app_.get_formatter()->column_width(option_column);
  app_.footer(examples_and_exit_codes);
  add_subcommands(app_, exit_code_);
}

int Program::run(int argc, char** argv) {
  try {
    app_.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app_.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_message(app_, error));
  }
  if (app_.get_subcommands().empty())
    throw UsageError("a subcommand is missing (see vparity --help)");
  return exit_code_;
}

}  // namespace vparity::harness
