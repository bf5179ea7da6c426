#include "harness/cli/plan_arguments.h"

#include <fmt/format.h>

#include "harness/case/axes.h"
#include "harness/cli/number_option.h"
#include "harness/usage_error.h"

namespace vparity::harness {
namespace {

constexpr int most_ranks = 1 << 20;  // the largest tp times the largest dp

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

/// `auto` is the fastest backend that this version has kernels for.
Backend read_backend(const std::string& text) {
  return text == "auto" ? Backend::cpu : axis_option("backend", &CaseParameters::backend, text);
}

void read_shard(const std::string& text, PlanOptions& options) {
  constexpr int most_shards = 1'000'000;
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("--shard: '{}' is not I/N, e.g. 1/4", text));
  options.shard_count = parse_number<int>("--shard N", text.substr(slash + 1), {1, most_shards});
  options.shard_index =
      parse_number<int>("--shard I", text.substr(0, slash), {1, options.shard_count});
}

void refuse_throughput(const std::string& text) {
  if (text == "throughput")
    throw UsageError("--only throughput: this version measures parity only");
  if (text != "parity")
    throw UsageError(fmt::format("--only: '{}' is not a known value{}", text,
                                 suggestion(text, {"parity", "throughput"})));
}

void add_selection(CLI::App& command, PlanOptions& options) {
  CLI::App& group = *command.add_option_group("Selecting cases");
  group.add_option("--filter", options.filter, "Cases whose key matches, e.g. '*,tp=2,*'")
      ->type_name("GLOB");
  group.add_option("--case", options.case_id, "The one case of that id")->type_name("ID");
  group.add_option_function<std::string>("--only", refuse_throughput, "What to measure")
      ->type_name("parity");
  const auto shard = [&options](const std::string& text) { read_shard(text, options); };
  group
      .add_option_function<std::string>("--shard", shard,
                                        "The I-th of N parts, from 1; a case stays in its part")
      ->type_name("I/N");
  add_number(group, "--max-ranks", options.max_ranks, "Skip cases that need more ranks than N",
             {1, most_ranks});
}

void add_overrides(CLI::App& command, PlanOptions& options) {
  CLI::App& group = *command.add_option_group("Overriding the matrix");
  const auto backend = [&options](const std::string& text) {
    options.backend = read_backend(text);
  };
  group.add_option_function<std::string>("--backend", backend, "Where the kernels run")
      ->type_name("cpu|cuda|cuda-sim|auto");
  const auto transport = [&options](const std::string& text) {
    options.transport = axis_option("transport", &CaseParameters::transport, text);
  };
  group.add_option_function<std::string>("--transport", transport, "How the ranks talk")
      ->type_name("threads|mpi|nccl");
  add_number(group, "--seed", options.seed, "Seed of all generated inputs");
}

}  // namespace

void add_plan_arguments(CLI::App& command, PlanArguments& arguments) {
  command.add_option("matrix", arguments.matrix_files, "Matrix files (docs/matrix-file.md)")
      ->required()
      ->type_name("MATRIX");
  add_selection(command, arguments.options);
  add_overrides(command, arguments.options);
}

}  // namespace vparity::harness
