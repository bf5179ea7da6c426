// `vparity nightly`: runs the matrices, adds the run to a history, looks for changes, reports them.
#include <memory>
#include <string>

#include "harness/commands/command_line/program.h"
#include "harness/commands/nightly/nightly.h"
#include "harness/commands/run/run_command.h"

namespace vparity::harness {
namespace {

struct NightlyArguments {
  NightlyOptions options;
  std::string anchor;
};

int run_nightly_command(const Command& command, NightlyArguments& arguments) {
  auto& options = arguments.options;
  options.run.argv = own_arguments();
  if (!arguments.anchor.empty()) options.anchor = build_at("--anchor", arguments.anchor);
  options.anchor_arguments = command.case_arguments();
  options.anchor_arguments.insert(options.anchor_arguments.end(), options.run.matrix_files.begin(),
                                  options.run.matrix_files.end());
  return run_nightly(options);
}

}  // namespace

void add_nightly_command(Command& program) {
  auto& command = program.add_command(
      "nightly", "Run matrices, add the run to a history, report what became slower or less exact");
  const auto arguments = std::make_shared<NightlyArguments>();
  auto& options = arguments->options;
  add_run_options(command, options.run);
  command.heading("History");
  command.add_text("--history", options.history, "DIR", "The history; created if missing")
      .required();
  command.add_text("--accepted", options.accepted, "FILE",
                   "Intended changes (vparity schema accepted-changes)");
  command.add_text("--anchor", arguments->anchor, "BUILD",
                   "Build of a pinned commit; it times the same cases after the run");
  command.footer(
      "The folder of the run also gets history-check.json; its report.html also shows\n"
      "the history (docs/history.md). The default of --out is\n"
      "vparity-out/nightly-<UTC time>.\n\n"
      "Exit codes: as for vparity run, and\n"
      "    1  also if a case became slower, or its error came nearer to the bound\n"
      "    3  also if the anchor failed\n"
      "A run that was interrupted, or whose anchor failed, is not added.\n\n"
      "Example:\n"
      "  vparity nightly matrices/nightly.json --history history \\\n"
      "      --anchor ../pinned/build");
  command.action([&command, arguments] { return run_nightly_command(command, *arguments); });
}

}  // namespace vparity::harness
