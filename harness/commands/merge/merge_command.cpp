// `vparity merge`: one report of the shards of a run.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/command_line.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/text_option.h"
#include "harness/commands/merge/merge.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "harness/io/standard_output.h"
#include "reports/model/gate.h"

namespace vparity::harness {
namespace {

/// The exit code.
int run_merge(const std::vector<std::string>& runs, const std::string& out) {
  std::vector<Shard> shards;
  for (const auto& run : runs) shards.push_back({run, read_report(run)});
  auto report = merge(std::move(shards));
  report.run.argv = command_line();
  make_empty_folder(out);
  write_report(report, out);
  for (const auto& complaint : other_complaints(report)) print_line(complaint.text);
  for (const auto& file : measured_files(report))
    print_line(fmt::format("report: {}/{}", out, file));
  print_annotations(report);
  print_line(verdict_line(report.summary));
  return *report.run.exit_code;
}

}  // namespace

void add_merge_command(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::vector<std::string> runs;
    std::string out;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command =
      *app.add_subcommand("merge", "Make one report of the shards of a run; exits as that run");
  command.add_option("RUN", arguments->runs, "The directories of all shards (run --shard I/N)")
      ->required()
      ->check(not_empty)
      ->type_name("DIR");
  command.add_option("--out", arguments->out, "Folder for the report; empty or not there yet")
      ->required()
      ->type_name("DIR")
      ->check(not_empty);
  command.footer("Example:\n  vparity merge shard-1 shard-2 --out merged");
  command.callback(
      [arguments, &exit_code] { exit_code = run_merge(arguments->runs, arguments->out); });
}

}  // namespace vparity::harness
