// `vparity merge`: makes one report of the shards of a run.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/command.h"
#include "harness/commands/command_line/program.h"
#include "harness/commands/merge/merge.h"
#include "harness/io/standard_output.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "reports/model/gate.h"

namespace vparity::harness {
namespace {

/// Returns the exit code.
int run_merge(const std::vector<std::string>& runs, const std::string& out) {
  std::vector<Shard> shards;
  for (const auto& run : runs) shards.push_back({run, read_report(run)});
  auto report = merge(std::move(shards));
  report.run.argv = own_arguments();
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

void add_merge_command(Command& program) {
  struct Arguments {
    std::vector<std::string> runs;
    std::string out;
  };
  auto& command = program.add_command("merge", "Make one report of the shards of a run");
  const auto arguments = std::make_shared<Arguments>();
  command
      .add_texts("RUN", arguments->runs, "DIR", "Folders of all shards (vparity run --shard I/N)")
      .required();
  command.add_text("--out", arguments->out, "DIR", "Folder for the report, empty or new")
      .required();
  command.footer(
      "Exit codes:\n"
      "    2  a shard is missing, given twice or of another run; nothing is written\n"
      "  Otherwise merge ends as the whole run would have ended (vparity run --help).\n\n"
      "Example:\n"
      "  vparity merge shard-1 shard-2 --out merged");
  command.action([arguments] { return run_merge(arguments->runs, arguments->out); });
}

}  // namespace vparity::harness
