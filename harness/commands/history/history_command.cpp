// `vparity history`: what many runs found out, kept in a folder.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/text_option.h"
#include "harness/commands/history/accepted_changes_file.h"
#include "harness/commands/history/anchor.h"
#include "harness/commands/history/store.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "harness/io/standard_output.h"
#include "harness/io/atomic_file.h"
#include "reports/history/alarms_text.h"
#include "reports/model/json_text.h"

namespace vparity::harness {
namespace {

void add_folder(CLI::App& command, std::string& folder, const char* description) {
  command.add_option("DIR", folder, description)->required()->check(not_empty)->type_name("DIR");
}

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
                         added ? "added" : "has already", report.run.id, night.series.size()));
  return 0;
}

void add_add_command(CLI::App& history, int& exit_code) {
  const auto arguments = std::make_shared<AddArguments>();
  CLI::App& command = *history.add_subcommand("add", "Add a finished run");
  add_folder(command, arguments->history, "The history; made if it is not there");
  command.add_option("RUN", arguments->run, "Folder of the run")
      ->required()
      ->check(not_empty)
      ->type_name("RUN");
  command
      .add_option("--anchor", arguments->anchor,
                  "Folder of a run of the pinned build beside it, on the same machine")
      ->check(not_empty)
      ->type_name("RUN");
  command.footer(
      "Adding a run that is there changes nothing. Several may add at once.\n\n"
      "Example:\n  vparity history add history vparity-out/nightly-20261130T021500Z");
  command.callback([arguments, &exit_code] { exit_code = run_add(*arguments); });
}

void add_merge_command_of_histories(CLI::App& history, int& exit_code) {
  struct Arguments {
    std::string into;
    std::vector<std::string> others;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *history.add_subcommand("merge", "Add the nights of other histories");
  add_folder(command, arguments->into, "The history that they go into; made if it is not there");
  command.add_option("OTHER", arguments->others, "Histories, which stay as they are")
      ->required()
      ->check(not_empty)
      ->type_name("DIR");
  command.footer("Example:\n  vparity history merge history from-the-other-machine");
  command.callback([arguments, &exit_code] {
    const auto added = merge_histories(arguments->into, arguments->others);
    print_line(fmt::format("{}: {} night{} added", arguments->into, added, added == 1 ? "" : "s"));
    exit_code = 0;
  });
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

void add_check_command(CLI::App& history, int& exit_code) {
  const auto arguments = std::make_shared<CheckArguments>();
  CLI::App& command =
      *history.add_subcommand("check", "Which cases became slower, or nearer to their bound");
  add_folder(command, arguments->history, "The history");
  const auto add_file = [&command](const char* name, std::string& file, const char* description) {
    command.add_option(name, file, description)->check(not_empty)->type_name("FILE");
  };
  add_file("--accepted", arguments->accepted,
           "Changes that are meant (vparity schema accepted-changes)");
  add_file("--json", arguments->json, "Write the findings here (vparity schema history-check)");
  command.add_flag("-v", arguments->all, "Every alarm, and what is back again or better");
  command.footer(
      "Two rules: two nights in a row more than 10 % above the ten before them, and change points\n"
      "of at least 2 %, with p <= 1e-4. What is neither back nor accepted is an alarm\n"
      "(docs/history.md).\n\n"
      "Exit codes:\n"
      "    0  no alarm\n"
      "    1  a case is slower, or nearer to a bound\n"
      "    2  usage, or a history that cannot be read\n"
      "   77  no case has enough nights yet\n\n"
      "Example:\n  vparity history check history --accepted accepted.json");
  command.callback([arguments, &exit_code] { exit_code = run_check(*arguments); });
}

}  // namespace

void add_history_command(CLI::App& app, int& exit_code) {
  CLI::App& command = *app.add_subcommand("history", "Keep what runs found out, night after night");
  command.require_subcommand(1);
  add_add_command(command, exit_code);
  add_check_command(command, exit_code);
  add_merge_command_of_histories(command, exit_code);
}

}  // namespace vparity::harness
