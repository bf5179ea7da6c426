#include "harness/commands/selftest/selftest.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "harness/commands/selftest/ci_matrix.h"
#include "harness/commands/selftest/findings_table.h"
#include "harness/commands/selftest/selftest_plan.h"
#include "harness/io/atomic_file.h"
#include "harness/io/standard_output.h"
#include "harness/machine/build_info.h"
#include "harness/run/launcher/signal_queue.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/record/utc_time.h"
#include "harness/run/request/launcher_choice.h"
#include "harness/run/run.h"
#include "reports/model/json_text.h"
#include "reports/text/text_safety.h"

namespace vparity::harness {
namespace {

using SystemClock = std::chrono::system_clock;

/// Beside the other files of the run, so that the commands that repeat a case find it.
std::string leave_ci_matrix(const RunDirectory& directory) {
  const auto folder = directory.path() / "matrices";
  std::filesystem::create_directory(folder);
  reports::write_file_atomically(folder / "models.json", model_vocabularies());
  reports::write_file_atomically(folder / "ci.json", ci_matrix());
  return folder / "ci.json";
}

std::string directory_of(const RunOptions& options) {
  if (!options.out.empty()) return options.out;
  return make_unused_folder(
      fmt::format("vparity-out/selftest-{}", compact_utc(SystemClock::now())));
}

/// The CI matrix on every backend that a bug is planted on.
Plan ci_plan(const RunDirectory& directory, LauncherKind launcher) {
  const std::string matrix = leave_ci_matrix(directory);
  PlanOptions options;
  options.transport = transport_under(launcher, {});
  options.backend = Backend::cpu;
  Plan plan = make_plan({matrix}, options);
  options.backend = Backend::cuda_sim;
  const Plan on_device = make_plan({matrix}, options);
  plan.cases.insert(plan.cases.end(), on_device.cases.begin(), on_device.cases.end());
  return plan;
}

/// Without the outputs for CI systems: the failures in it are no failures of the gate.
void write_parity_report(const RunDirectory& directory, const Plan& plan, const RunRecord& record,
                         int exit_code) {
  auto report = record.report(build_info(), plan.dropped_points(), iso_utc(SystemClock::now()));
  report.run.exit_code = exit_code;
  write_measured(report, directory.path());
}

}  // namespace

int run_selftest(RunOptions options, bool all_cases, const Catalogue& catalogue) {
  SignalQueue interrupts{SIGINT, SIGTERM, SIGHUP};
  options.verbosity = Verbosity::silent;
  // Overridden, by each case's own: repeat_command() names them.
  options.plan.provider.emplace();
  options.plan.backend.emplace();
  const auto launcher = choose_launcher(options);
  const RunDirectory directory(directory_of(options), false);
  const auto selftest = plan_selftest(ci_plan(directory, launcher), catalogue, all_cases);
  print_out(fmt::format("{} providers, {} cases\n\n", selftest.subjects.size(),
                        selftest.plan.cases.size()));

  auto [record, end] = run_plan(options, launcher, selftest.plan, directory);
  if (const auto signal = interrupts.take()) end.signal = *signal;
  const auto findings = judge(selftest.subjects, record.results());
  const int exit_code = exit_code_of(findings, record.results(), end);
  write_parity_report(directory, selftest.plan, record, exit_code);
  print_out(fmt::format("{}{}\nreport: {}\n{}\n", findings_table(findings),
                        complaints(findings, catalogue, record.results()),
                        reports::one_line(directory.parity_report()), caught_line(findings)));
  return exit_code;
}

}  // namespace vparity::harness
