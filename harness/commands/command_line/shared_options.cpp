#include "harness/commands/command_line/shared_options.h"

#include <fmt/format.h>

#include "harness/case/axes.h"
#include "harness/io/usage_error.h"
#include "harness/plan/feasibility.h"
#include "harness/provider/registry/registry.h"

namespace vparity::harness {
namespace {

constexpr int most_ranks = 1 << 20;  // the largest tp times the largest dp
constexpr int most_parts = 1'000'000;

/// `text` as a value of an axis.
template <class Value>
Value axis_option(const std::string& axis, Value CaseParameters::*member, const std::string& text) {
  CaseParameters parameters;
  try {
    set_axis(parameters, axis, text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--{}", error.what()));
  }
  return parameters.*member;
}

void read_backend(const std::string& text, PlanOptions& options) {
  if (text != "auto") {
    options.backend = axis_option("backend", &CaseParameters::backend, text);
    options.backend_choice.clear();
    return;
  }
  const BackendChoice choice = fastest_backend(find_gpus());
  options.backend = choice.backend;
  options.backend_choice = choice.text;
}

std::string read_provider(const std::string& text) {
  try {
    return std::string(provider_named(text).name());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--provider: {}", error.what()));
  }
}

void read_shard(const std::string& text, PlanOptions& options) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("--shard: '{}' is not I/N, for example 1/4", text));
  options.shard_count = parse_number<int>("--shard N", text.substr(slash + 1), {1, most_parts});
  options.shard_index =
      parse_number<int>("--shard I", text.substr(0, slash), {1, options.shard_count});
}

reports::Measure read_measure(const std::string& text) {
  for (const auto measure : {reports::Measure::parity, reports::Measure::throughput})
    if (text == name_of(measure)) return measure;
  throw UsageError(fmt::format("--only: '{}' is not a known value{}", text,
                               suggestion(text, {"parity", "throughput"})));
}

void add_selection(Command& command, PlanOptions& options) {
  command.heading("Selecting cases");
  command
      .add_text("--filter", options.filter, "GLOB",
                "Only cases whose key matches, for example '*,tp=2,*'")
      .decides_cases();
  command.add_text("--case", options.case_id, "ID", "Only the case with this id").decides_cases();
  // Not for other builds: they run what is to be compared, throughput.
  command.add_parsed("--only", "parity|throughput", "Measure only this",
                     [&options](const std::string& text) { options.only = read_measure(text); });
  command
      .add_parsed("--shard", "I/N",
                  "Only part I of N, counted from 1; the part of a case depends on its id alone",
                  [&options](const std::string& text) { read_shard(text, options); })
      .decides_cases();
  command
      .add_number("--max-ranks", options.max_ranks, "Skip cases that need more ranks",
                  {1, most_ranks})
      .decides_cases();
}

void add_overrides(Command& command, PlanOptions& options) {
  command.heading("Overriding the matrix");
  command
      .add_parsed("--provider", "NAME", "The provider under test",
                  [&options](const std::string& text) { options.provider = read_provider(text); })
      .decides_cases();
  command
      .add_parsed("--backend", "cpu|cuda|cuda-sim|auto",
                  "Where the kernels run; auto: cuda if there is a device, else cpu",
                  [&options](const std::string& text) { read_backend(text, options); })
      .decides_cases();
  command
      .add_parsed("--transport", "threads|mpi|nccl", "How the ranks communicate",
                  [&options](const std::string& text) {
                    options.transport = axis_option("transport", &CaseParameters::transport, text);
                  })
      .decides_cases();
  command.add_number("--seed", options.seed, "Seed of all generated inputs", {}).decides_cases();
}

}  // namespace

void add_plan_options(Command& command, std::vector<std::string>& matrix_files,
                      PlanOptions& options) {
  command.add_texts("MATRIX", matrix_files, "FILE", "Matrix files (docs/matrix-file.md)")
      .required();
  add_selection(command, options);
  add_overrides(command, options);
}

LauncherKind launcher_named(const std::string& name) {
  if (name == "threads") return LauncherKind::threads;
  if (name == "mpirun") return LauncherKind::mpirun;
  throw UsageError(fmt::format("--launcher: '{}' is not a known value{}", name,
                               suggestion(name, {"threads", "mpirun"})));
}

void add_launch_options(Command& command, RunOptions& options) {
  command.heading("Starting ranks");
  command
      .add_parsed("--launcher", "threads|mpirun", "What starts the ranks",
                  [&options](const std::string& name) { options.launcher = launcher_named(name); })
      .default_text("mpirun where it works, else threads")
      .decides_cases();
  command
      .add_repeatable("--launcher-arg", options.launcher_args, "A",
                      "Passed to the launcher; repeatable; write --launcher-arg=-x if it begins "
                      "with a dash")
      .decides_cases();
  command.add_seconds("--timeout", options.limits.per_case, "Time limit of a case in seconds")
      .decides_cases();
  command
      .add_seconds("--launch-timeout", options.limits.launch,
                   "Time limit in seconds until all ranks are up")
      .decides_cases();
}

void add_comparison_options(Command& command, reports::Criteria& criteria, std::string& json) {
  command.add_percent("--threshold", criteria.threshold,
                      "Smaller changes of a time count as no change", {0, 1000});
  command.add_percent("--confidence", criteria.confidence,
                      "Confidence of all intervals and verdicts together", {50, 99.9999});
  command.add_text("--json", json, "FILE",
                   "Also write the comparison as JSON (vparity schema comparison)");
}

}  // namespace vparity::harness
