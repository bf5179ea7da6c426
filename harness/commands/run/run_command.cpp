// `vparity run`: every case of the matrices, on ranks, against the reference.
#include <memory>

#include "harness/commands/command_line/command_line.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/run/run_arguments.h"
#include "harness/run/run.h"

namespace vparity::harness {

void add_run_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command = *app.add_subcommand("run", "Check every case of the matrices");
  add_run_arguments(command, *options);
  command.callback([options, &exit_code] {
    options->argv = command_line();
    exit_code = run_matrices(*options);
  });
}

}  // namespace vparity::harness
