// `vparity nightly`: run, add to the history, look for changes, report.
#include "harness/commands/nightly/nightly.h"

#include <memory>
#include <string>

#include "harness/commands/command_line/command_line.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/run/run_arguments.h"
#include "harness/commands/command_line/text_option.h"

namespace vparity::harness {

void add_nightly_command(CLI::App& app, int& exit_code) {
  struct Arguments {
    NightlyOptions options;
    std::string anchor;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand(
      "nightly",
      "Run the matrices, add the run to a history, say what became slower or less exact");
  add_run_arguments(command, arguments->options.run);
  command.get_option("--out")->default_str("vparity-out/nightly-<UTC time>");
  command.option_defaults()->group("History");
  command
      .add_option("--history", arguments->options.history, "The history; made if it is not there")
      ->required()
      ->check(not_empty)
      ->type_name("DIR");
  command
      .add_option("--accepted", arguments->options.accepted,
                  "Changes that are meant (vparity schema accepted-changes)")
      ->check(not_empty)
      ->type_name("FILE");
  command
      .add_option("--anchor", arguments->anchor,
                  "Build of a pinned commit: runs the throughput cases beside it")
      ->check(not_empty)
      ->type_name("BUILD");
  command.footer(
      "The folder of the run also gets history-check.json, and its report.html the history\n"
      "(docs/history.md).\n\n"
      "Exit codes: as for vparity run; and 1 if a case became slower, or nearer to its bound.\n"
      "A run that was interrupted, or whose anchor failed (3), is not added\n\n"
      "Example:\n"
      "  vparity nightly matrices/nightly.json --history history --anchor ../pinned/build");
  command.callback([&command, arguments, &exit_code] {
    auto& options = arguments->options;
    options.run.argv = command_line();
    if (!arguments->anchor.empty()) options.anchor = build_at("--anchor", arguments->anchor);
    options.anchor_words = words_for_the_same_cases(command, options.run);
    exit_code = run_nightly(options);
  });
}

}  // namespace vparity::harness
