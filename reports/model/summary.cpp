#include <utility>

#include "reports/model/model.h"

namespace vparity::reports {
namespace {

// One place that knows which counter belongs to which status.
std::int64_t& counter(Summary& summary, Status status) {
  switch (status) {
    case Status::passed:
      return summary.passed;
    case Status::failed:
      return summary.failed;
    case Status::untrusted:
      return summary.untrusted;
    case Status::error:
      return summary.error;
    case Status::timeout:
      return summary.timeout;
    case Status::crashed:
      return summary.crashed;
    case Status::skipped:
      return summary.skipped;
    case Status::not_run:
      break;
  }
  return summary.not_run;
}

// NaN never is an error ratio: where one is missed the comparison reports infinity.
void keep_worst(std::optional<Summary::Worst>& worst, const CaseResult& result) {
  for (const auto& output : result.outputs) {
    if (!worst || output.error_ratio > worst->error_ratio)
      worst = {result.id, output.name, output.error_ratio};
  }
}

}  // namespace

Summary summarise(const std::vector<CaseResult>& cases, std::int64_t dropped) {
  Summary summary;
  summary.planned = std::ssize(cases);
  summary.dropped = dropped;
  for (const auto& result : cases) {
    ++counter(summary, result.status);
    summary.known_failures += result.known_failure.empty() ? 0 : 1;
    keep_worst(summary.worst, result);
  }
  return summary;
}

nlohmann::ordered_json to_json(const Summary& summary) {
  nlohmann::ordered_json worst;
  if (summary.worst) {
    worst = {{"case", summary.worst->case_id},
             {"output", summary.worst->output},
             {"error_ratio", number(summary.worst->error_ratio)}};
  }
  return {{"planned", summary.planned},
          {"passed", summary.passed},
          {"failed", summary.failed},
          {"untrusted", summary.untrusted},
          {"error", summary.error},
          {"timeout", summary.timeout},
          {"crashed", summary.crashed},
          {"skipped", summary.skipped},
          {"not_run", summary.not_run},
          {"dropped", summary.dropped},
          {"known_failures", summary.known_failures},
          {"worst", worst}};
}

Summary summary_from_json(const nlohmann::json& value) {
  Summary summary{.planned = value.at("planned"),
                  .passed = value.at("passed"),
                  .failed = value.at("failed"),
                  .untrusted = value.at("untrusted"),
                  .error = value.at("error"),
                  .timeout = value.at("timeout"),
                  .crashed = value.at("crashed"),
                  .skipped = value.at("skipped"),
                  .not_run = value.at("not_run"),
                  .dropped = value.at("dropped"),
                  .known_failures = value.value("known_failures", std::int64_t{0}),
                  .worst = {}};
  if (const auto& worst = value.at("worst"); !worst.is_null()) {
    summary.worst = {worst.at("case"), worst.at("output"), number_from(worst.at("error_ratio"))};
  }
  return summary;
}

}  // namespace vparity::reports
