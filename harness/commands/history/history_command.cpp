// `vparity history`: results of nightly runs, kept in a folder.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/commands/command_line/command.h"
#include "harness/commands/command_line/program.h"
#include "harness/commands/history/accepted_changes_file.h"
#include "harness/commands/history/store.h"
#include "harness/io/atomic_file.h"
#include "harness/io/standard_output.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "reports/history/alarms_text.h"
#include "reports/model/exit_code.h"
#include "reports/model/json_text.h"

namespace vparity::harness {
namespace {

struct AddArguments {
  std::string history, run, anchor;
};

int run_add(const AddArguments& arguments) {
  const auto report = read_report(arguments.run);
  std::optional<reports::Report> anchor;
  if (!arguments.anchor.empty()) {
    anchor = read_report(arguments.anchor);
    require_anchor_of(report, *anchor, arguments.anchor);
  }
  const auto night = reports::night_of(report, anchor ? &*anchor : nullptr);
  const bool added = add_night(arguments.history, night);
  print_line(fmt::format("{}: {} run {}, {} cases", arguments.history,
                         added ? "added" : "already has", report.run.id, night.series.size()));
  return reports::exit_passed;
}

void add_add_command(Command& history) {
  auto& command = history.add_command("add", "Add a finished run");
  const auto arguments = std::make_shared<AddArguments>();
  command.add_text("DIR", arguments->history, "DIR", "The history; created if missing").required();
  command.add_text("RUN", arguments->run, "RUN", "Folder of the run").required();
  command.add_text("--anchor", arguments->anchor, "RUN",
                   "Folder of a run of the pinned build on the same machine, made beside RUN");
  command.footer(
      "Adding a run again changes nothing. Several processes may add at once.\n\n"
      "Example:\n"
      "  vparity history add history vparity-out/nightly-20261130T021500Z");
  command.action([arguments] { return run_add(*arguments); });
}

struct MergeArguments {
  std::string into;
  std::vector<std::string> others;
};

int run_merge(const MergeArguments& arguments) {
  const auto added = merge_histories(arguments.into, arguments.others);
  print_line(fmt::format("{}: {} night{} added", arguments.into, added, added == 1 ? "" : "s"));
  return reports::exit_passed;
}

void add_merge_command_of_histories(Command& history) {
  auto& command = history.add_command("merge", "Add the nights of other histories");
  const auto arguments = std::make_shared<MergeArguments>();
  command.add_text("DIR", arguments->into, "DIR", "The history to add to; created if missing")
      .required();
  command.add_texts("OTHER", arguments->others, "DIR", "The histories to add; they are not changed")
      .required();
  command.footer("Example:\n  vparity history merge history from-the-other-machine");
  command.action([arguments] { return run_merge(*arguments); });
}

struct CheckArguments {
  std::string history, accepted, json;
  bool all = false;
};

int run_check(const CheckArguments& arguments) {
  if (!arguments.json.empty())
    refuse_to_replace("--json", arguments.json, {arguments.history, arguments.accepted});
  std::vector<reports::AcceptedChange> accepted;
  if (!arguments.accepted.empty()) accepted = read_accepted_changes(arguments.accepted);
  const auto history = read_history(arguments.history);
  const auto check = reports::judge(history, accepted);
  if (!arguments.json.empty())
    reports::write_file_atomically(arguments.json,
                                   reports::json_document(to_json(check, history, accepted)));
  const auto default_key = case_key(CaseParameters{});
  print_annotations(alarm_messages(check, history, default_key));
  print_out(history_check_text(check, history, accepted, default_key, arguments.all));
  return exit_code(check);
}

void add_check_command(Command& history) {
  auto& command =
      history.add_command("check", "Say which cases became slower or less exact, since when");
  const auto arguments = std::make_shared<CheckArguments>();
  command.add_text("DIR", arguments->history, "DIR", "The history").required();
  command.add_text("--accepted", arguments->accepted, "FILE",
                   "Intended changes (vparity schema accepted-changes)");
  command.add_text("--json", arguments->json, "FILE",
                   "Also write the findings as JSON (vparity schema history-check)");
  command.add_flag("-v", arguments->all, "Print every alarm, and cases that recovered or improved");
  command.footer(
      "Two rules raise an alarm (docs/history.md):\n"
      "  two nights in a row more than 10 % above the ten nights before them;\n"
      "  a change point of at least 2 % with p <= 1e-4.\n"
      "A change that went back, or that FILE accepts, is no alarm.\n\n"
      "Exit codes:\n"
      "    0  no alarm\n"
      "    1  a case became slower, or its error came nearer to the bound\n"
      "    2  invalid command line, or a history that cannot be read\n"
      "   77  no case has enough nights yet\n\n"
      "Example:\n"
      "  vparity history check history --accepted accepted.json");
  command.action([arguments] { return run_check(*arguments); });
}

}  // namespace

void add_history_command(Command& program) {
  auto& command = program.add_command("history", "Keep the results of nightly runs in a folder");
  command.require_command();
  add_add_command(command);
  add_check_command(command);
  add_merge_command_of_histories(command);
  command.footer("`vparity history COMMAND --help` explains a command.");
}

}  // namespace vparity::harness
