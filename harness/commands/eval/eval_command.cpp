// `vparity eval`: runs the kernels and the reference on tensors from a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/commands/command_line/program.h"
#include "harness/commands/command_line/shared_options.h"
#include "harness/commands/eval/eval_run.h"
#include "harness/io/usage_error.h"
#include "harness/rank/eval/eval_request.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

struct EvalArguments {
  EvalRequest request;
  LauncherKind launcher = LauncherKind::threads;
  TimeLimits limits;
};

struct AxisOption {
  const char* axis;
  const char* description;
};

// One for each of eval_axes().
constexpr AxisOption axis_options[] = {
    {"tp", "Tensor-parallel ranks: they split the vocabulary"},
    {"dp", "Data-parallel ranks: they split the rows"},
    {"layout", "How the vocabulary is split"},
    {"mode", "How the ranks work together"},
    {"batch_invariant", "Ask for bits that depend on neither tp, dp nor batch size"},
    {"chunk", "Rows per collective; 0: all rows in one"},
    {"temperature", "Logits are divided by N > 0"},
    {"softcap", "Logits x become N tanh(x / N), N > 0"},
    {"ignore_index", "Label of rows that do not count"},
    {"label_smoothing", "Weight of the uniform distribution, in [0, 1)"},
    {"z_loss", "Weight of lse^2 in the loss, at least 0"},
    {"reduction", "The gradient is of the sum or of the mean of the loss over valid rows"},
    {"grad_dtype", "Element type of grad_logits"},
    {"backend", "Where the kernels run"}};

/// An integer if it can be read as one; the axis decides whether it takes fractions.
json parse_json_number(const std::string& option, const std::string& text) {
  std::int64_t integer = 0;
  const char* end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), end, integer);
      error == std::errc{} && stop == end)
    return integer;
  return parse_number<double>(option, text);
}

/// Sets an axis. An error names the option, not the axis.
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

void add_axis_option(Command& command, CaseParameters& parameters, const AxisOption& entry) {
  const std::string axis = entry.axis;
  const std::string option = option_of(axis);
  const std::vector<json>& values = enumerated_values(axis);
  if (!values.empty() && values.front().is_boolean()) {
    command.add_flag(
        option, [&parameters, axis] { set_option(parameters, axis, true); }, entry.description);
    return;
  }
  const bool named = !values.empty();
  const auto set = [&parameters, axis, option, named](const std::string& text) {
    set_option(parameters, axis, named ? json(text) : parse_json_number(option, text));
  };
  const json standard = axis_value(parameters, axis);
  auto added =
      command.add_parsed(option, named ? fmt::format("{}", fmt::join(names_of(values), "|")) : "N",
                         entry.description, set);
  if (!standard.is_null())
    added.default_text(standard.is_string() ? standard.get<std::string>() : standard.dump());
}

}  // namespace

void add_eval_command(Command& program) {
  auto& command =
      program.add_command("eval", "Check the kernels against the reference on tensors from a file");
  const auto arguments = std::make_shared<EvalArguments>();
  auto& request = arguments->request;
  command
      .add_text("IN.safetensors", request.input, "FILE",
                "File with logits, labels and optional upstream gradients")
      .required();
  command.add_text("--out", request.output, "FILE",
                   "Write the outputs and grad_logits to this safetensors file");
  for (const AxisOption& entry : axis_options) add_axis_option(command, request.parameters, entry);
  command
      .add_parsed(
          "--launcher", "threads|mpirun", "What starts the ranks",
          [arguments](const std::string& name) { arguments->launcher = launcher_named(name); })
      .default_text("threads");
  command.add_seconds("--timeout", arguments->limits.per_case,
                      "Time limit in seconds once all ranks are up");
  command.footer(
      "Standard output is one JSON object. Its error_ratios are the largest error of\n"
      "each output divided by the bound; above 1 the kernels are wrong.\n\n"
      "Exit codes:\n"
      "    0  every error ratio is at most 1\n"
      "    1  an error ratio is above 1\n"
      "    2  invalid command line or input file; nothing was run\n"
      "    3  the launch failed, a rank crashed or ended with an error\n"
      "    4  the ranks ran into the time limit\n"
      "   77  --backend cuda, and there is no device\n"
      "  129, 130, 143  interrupted (HUP, INT, TERM)\n\n"
      "Example:\n"
      "  vparity eval logits.safetensors --tp 4 --out outputs.safetensors");
  command.action(
      [arguments] { return run_eval(arguments->request, arguments->launcher, arguments->limits); });
}

}  // namespace vparity::harness
