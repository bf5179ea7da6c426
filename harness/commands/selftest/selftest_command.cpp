// `vparity selftest`: does the gate catch kernels that are wrong?
#include <memory>

#include "harness/commands/command_line/command_line.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/launch_arguments.h"
#include "harness/commands/command_line/text_option.h"
#include "harness/commands/selftest/selftest.h"

namespace vparity::harness {

void add_selftest_command(CLI::App& app, int& exit_code) {
  struct Arguments {
    RunOptions options;
    bool all_cases = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand(
      "selftest", "Run the CI matrix on kernels with known bugs: each must be caught");
  command.add_flag("--all", arguments->all_cases,
                   "Every CI case on every provider, not only those that are meant to catch it");
  command.add_option("--out", arguments->options.out, "Folder for journal, report and logs")
      ->type_name("DIR")
      ->check(not_empty)
      ->default_str("vparity-out/selftest-<UTC time>");
  add_launch_arguments(command, arguments->options);
  command.footer(
      "Exit codes:\n"
      "    0  every bug is caught and the right kernels pass\n"
      "    1  a bug is missed or right kernels fail\n"
      "    2  usage; decided before any work\n"
      "    3  else: a case crashed or did not run, the launch failed\n"
      "    4  else: a case ran into its time limit\n"
      "  129, 130, 143  interrupted (HUP, INT, TERM)\n\n"
      "Examples:\n"
      "  vparity selftest --launcher threads\n"
      "  vparity run matrices/ci.json --provider known-bug-entropy-sign    one bug, case by case");
  command.callback([arguments, &exit_code] {
    arguments->options.argv = command_line();
    exit_code = run_selftest(arguments->options, arguments->all_cases);
  });
}

}  // namespace vparity::harness
