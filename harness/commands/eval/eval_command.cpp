// `vparity eval`: the kernels and the reference on tensors from a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/number_option.h"
#include "harness/commands/command_line/text_option.h"
#include "harness/rank/eval/eval_request.h"
#include "harness/commands/eval/eval_run.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

struct EvalArguments {
  EvalRequest request;
  LauncherKind launcher = LauncherKind::threads;
  double seconds = 60;
};

struct AxisOption {
  const char* axis;
  const char* description;
};

// One for each of eval_axes().
constexpr AxisOption axis_options[] = {
    {"tp", "Tensor-parallel ranks, which split the vocabulary"},
    {"dp", "Data-parallel ranks, which split the rows"},
    {"layout", "How the vocabulary is split"},
    {"mode", "How the ranks work together"},
    {"batch_invariant", "Rely on bits that depend on neither tp, dp nor batch"},
    {"chunk", "Rows per collective; 0: all in one"},
    {"temperature", "tau > 0"},
    {"softcap", "c > 0: logits pass through c tanh(x / c)"},
    {"ignore_index", "The label of rows that do not count"},
    {"label_smoothing", "epsilon in [0, 1)"},
    {"z_loss", "lambda >= 0"},
    {"reduction", "The gradient is that of the loss's sum or mean over valid rows"},
    {"grad_dtype", "Element type of grad_logits"},
    {"backend", "Where the kernels run"}};

/// The axis decides whether a fraction will do.
json parse_json_number(const std::string& option, const std::string& text) {
  std::int64_t integer = 0;
  const char* end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), end, integer);
      error == std::errc{} && stop == end)
    return integer;
  return parse_number<double>(option, text);
}

/// Sets an axis; an error names the option instead.
void set_option(CaseParameters& parameters, const std::string& axis, const json& value) {
  try {
    set_axis(parameters, axis, value);
  } catch (const UsageError& error) {
    throw UsageError(option_of(axis) + std::string(error.what()).substr(axis.size()));
  }
}

std::vector<std::string> names_of(const std::vector<json>& values) {
  std::vector<std::string> names;
  for (const json& value : values) names.push_back(value.get<std::string>());
  return names;
}

void add_axis_option(CLI::App& command, CaseParameters& parameters, const AxisOption& entry) {
  const std::string axis = entry.axis;
  const std::string option = option_of(axis);
  const std::vector<json>& values = enumerated_values(axis);
  if (!values.empty() && values.front().is_boolean()) {
    command.add_flag_callback(
        option, [&parameters, axis] { set_option(parameters, axis, true); }, entry.description);
    return;
  }
  const bool named = !values.empty();
  const auto set = [&parameters, axis, option, named](const std::string& text) {
    set_option(parameters, axis, named ? json(text) : parse_json_number(option, text));
  };
  const json standard = axis_value(parameters, axis);
  CLI::Option* added = command.add_option_function<std::string>(option, set, entry.description);
  added->type_name(named ? fmt::format("{}", fmt::join(names_of(values), "|")) : "N");
  if (!standard.is_null())
    added->default_str(standard.is_string() ? standard.get<std::string>() : standard.dump());
}

LauncherKind launcher_named(const std::string& name) {
  if (name == "threads") return LauncherKind::threads;
  if (name == "mpirun") return LauncherKind::mpirun;
  throw UsageError(fmt::format("--launcher: '{}' is not a known value{}", name,
                               suggestion(name, {"threads", "mpirun"})));
}

}  // namespace

void add_eval_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<EvalArguments>();
  CLI::App& command =
      *app.add_subcommand("eval", "Run the kernels and the reference on tensors from a file");
  command.add_option("input", arguments->request.input, "Safetensors file: logits, labels, ...")
      ->required()
      ->check(not_empty)
      ->type_name("IN.safetensors");
  command.add_option("--out", arguments->request.output, "Write the outputs and grad_logits here")
      ->type_name("OUT.safetensors")
      ->check(not_empty);
  for (const AxisOption& entry : axis_options)
    add_axis_option(command, arguments->request.parameters, entry);
  command
      .add_option_function<std::string>(
          "--launcher",
          [arguments](const std::string& name) { arguments->launcher = launcher_named(name); },
          "What starts the ranks")
      ->type_name("threads|mpirun")
      ->default_str("threads");
  constexpr double longest = 1e6;
  add_number(command, "--timeout", arguments->seconds,
             "Seconds that the ranks may take once they are up", {0.001, longest});
  command.callback([arguments, &exit_code] {
    TimeLimits limits;
    limits.per_case = std::chrono::duration<double>(arguments->seconds);
    exit_code = run_eval(arguments->request, arguments->launcher, limits);
  });
}

}  // namespace vparity::harness
