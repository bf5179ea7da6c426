// `vparity selftest`: does the gate catch kernels that are wrong?
#include <memory>

#include "harness/commands/command_line/program.h"
#include "harness/commands/command_line/shared_options.h"
#include "harness/commands/selftest/selftest.h"

namespace vparity::harness {

void add_selftest_command(Command& program) {
  struct Arguments {
    RunOptions options;
    bool all_cases = false;
  };
  auto& command = program.add_command(
      "selftest", "Run the CI matrix on providers with known bugs: each must be caught");
  const auto arguments = std::make_shared<Arguments>();
  command.add_flag("--all", arguments->all_cases,
                   "Run every CI case on every provider, not only the cases meant to catch it");
  command.add_text("--out", arguments->options.out, "DIR", "Folder for journal, reports and logs")
      .default_text("vparity-out/selftest-<UTC time>");
  add_launch_options(command, arguments->options);
  command.footer(
      "Exit codes:\n"
      "    0  every known bug is caught and the right providers pass\n"
      "    1  a known bug is missed, or a right provider fails\n"
      "    2  invalid command line; nothing was run\n"
      "    3  a case crashed or did not run, or the launch failed\n"
      "    4  a case ran into its time limit\n"
      "  129, 130, 143  interrupted (HUP, INT, TERM)\n\n"
      "Examples:\n"
      "  vparity selftest --launcher threads\n"
      "  vparity run matrices/ci.json --provider known-bug-entropy-sign   one bug by case");
  command.action([arguments] {
    arguments->options.argv = own_arguments();
    return run_selftest(arguments->options, arguments->all_cases);
  });
}

}  // namespace vparity::harness
