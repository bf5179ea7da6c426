#include "harness/commands/command_line/plan_arguments.h"

#include <fmt/format.h>

#include "harness/case/axes.h"
#include "harness/commands/command_line/number_option.h"
#include "harness/commands/command_line/text_option.h"
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
    throw UsageError(fmt::format("--shard: '{}' is not I/N, e.g. 1/4", text));
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

/// The options of one heading of --help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& command, std::string name) : command_(command), name_(std::move(name)) {}

  /// `read` gets the option's text, which is not empty.
  template <class Read>
  void add(const std::string& option, const std::string& type, const std::string& description,
           Read read) {
    const auto read_text = [option, read](const std::string& text) {
      if (text.empty()) throw UsageError(fmt::format("{}: the value is empty", option));
      read(text);
    };
    command_.add_option_function<std::string>(option, read_text, description)
        ->type_name(type)
        ->group(name_);
  }

  template <class T>
  void add_number(const std::string& option, std::optional<T>& target,
                  const std::string& description, const NumberRange<T>& range) {
    harness::add_number(command_, option, target, description, range)->group(name_);
  }

 private:
  CLI::App& command_;
  std::string name_;
};

void add_selection(CLI::App& command, PlanOptions& options) {
  OptionGroup group(command, "Selecting cases");
  group.add("--filter", "GLOB", "Cases whose key matches, e.g. '*,tp=2,*'",
            [&options](const std::string& text) { options.filter = text; });
  group.add("--case", "ID", "The one case of that id",
            [&options](const std::string& text) { options.case_id = text; });
  group.add("--only", "parity|throughput", "Measure that alone",
            [&options](const std::string& text) { options.only = read_measure(text); });
  group.add("--shard", "I/N", "The I-th of N parts, from 1; a case's part depends on its id alone",
            [&options](const std::string& text) { read_shard(text, options); });
  group.add_number("--max-ranks", options.max_ranks, "Skip cases that need more ranks",
                   {1, most_ranks});
}

void add_overrides(CLI::App& command, PlanOptions& options) {
  OptionGroup group(command, "Overriding the matrix");
  group.add("--provider", "NAME", "The provider under test",
            [&options](const std::string& text) { options.provider = read_provider(text); });
  group.add("--backend", "cpu|cuda|cuda-sim|auto", "Where the kernels run",
            [&options](const std::string& text) { read_backend(text, options); });
  group.add("--transport", "threads|mpi|nccl", "How the ranks communicate",
            [&options](const std::string& text) {
              options.transport = axis_option("transport", &CaseParameters::transport, text);
            });
  group.add_number("--seed", options.seed, "Seed of all generated inputs", {});
}

}  // namespace

void add_plan_arguments(CLI::App& command, std::vector<std::string>& matrix_files,
                        PlanOptions& options) {
  command.add_option("MATRIX", matrix_files, "Matrix files (docs/matrix-file.md)")
      ->required()
      ->check(not_empty)
      ->type_name("FILE");
  add_selection(command, options);
  add_overrides(command, options);
}

}  // namespace vparity::harness
