#include "harness/rank/eval/eval_job.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "harness/provider/problem.h"
#include "harness/provider/registry/registry.h"
#include "harness/rank/check/check.h"
#include "harness/rank/eval/eval_output.h"
#include "harness/rank/eval/eval_request.h"
#include "harness/rank/eval/file_operands.h"
#include "reports/model/model.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;

ordered_json results_json(const CheckResult& result) {
  const GlobalResults& global = result.computed->global;
  ordered_json error_ratios = ordered_json::object();
  for (const reports::OutputResult& output : result.outcome.outputs)
    error_ratios[output.name] = reports::number(output.error_ratio);
  return {{"loss_sum", reports::number(global.loss_sum)},
          {"loss_mean", reports::number(global.loss_mean)},
          {"valid_tokens", global.valid_tokens},
          {"entropy_mean", reports::number(global.entropy_mean)},
          {"degenerate_rows", global.degenerate_rows},
          {"error_ratios", error_ratios}};
}

bool is_callers_mistake(const std::optional<reports::Reason>& reason) {
  return reason && (reason->code == "argument_error" || reason->code == "label_error");
}

/// The check's reason, and where each output is furthest from its bound.
std::string reason_text(const CheckResult& result) {
  std::string text = result.outcome.reason ? result.outcome.reason->text : "";
  for (const reports::OutputResult& output : result.outcome.outputs) {
    if (output.mismatches == 0 || !output.worst) continue;
    const reports::WorstElement& worst = *output.worst;
    text +=
        fmt::format("; worst of {}: row {}, column {}, rank {}, expected {}, actual {}",
                    output.name, worst.row, worst.column, worst.rank, worst.expected, worst.actual);
  }
  return text;
}

ordered_json event_of(const CheckResult& result) {
  const std::string reason = reason_text(result);
  if (is_callers_mistake(result.outcome.reason)) return {{"event", "refused"}, {"message", reason}};
  return {{"event", "output"},
          {"json", result.computed ? results_json(result) : ordered_json()},
          {"status", reports::name_of(result.outcome.status)},
          {"reason", reason}};
}

}  // namespace

void run_eval_job(const nlohmann::json& job, Communicator& world, const EventWriter& events) {
  EvalRequest request = eval_request_from_json(job);
  const FileOperands operands(request.input, request.parameters.dp);
  operands.complete(request.parameters);
  const Problem problem = problem_of(request.parameters);
  const ProcessGrid grid(world, request.parameters.tp);
  const Check check{.name = request.input,
                    .task = {.operands = operands,
                             .problem = problem,
                             .provider = *find_provider(request.parameters.provider),
                             .grad_of = request.parameters.grad_of,
                             .placement = {}}};

  events.write({{"event", "case"}, {"id", check.name}});
  const CheckResult result = run_check(check, grid, [&](std::string_view phase) {
    events.write({{"event", "phase"}, {"id", check.name}, {"phase", phase}});
  });
  if (result.computed && !request.output.empty())
    write_eval_output(request.output, request.parameters, operands.labels_info(),
                      operands.first_row(grid.dp().rank()), *result.computed, grid);
  events.write(event_of(result));
}

}  // namespace vparity::harness
