#include "reports/comparison/comparison.h"

namespace vparity::reports {
namespace {

using nlohmann::ordered_json;

ordered_json run_json(const ComparedRun& run) {
  const auto& report = run.report;
  return {{"path", run.path},
          {"id", report.run.id},
          {"matrix", report.run.matrix},
          {"started", report.run.started},
          {"seed", report.run.seed},
          {"complete", report.run.complete},
          {"version", report.provenance.at("version")},
          {"git", report.provenance.at("git")},
          {"fingerprint", report.fingerprint}};
}

ordered_json runs_json(const std::vector<ComparedRun>& runs) {
  auto all = ordered_json::array();
  for (const auto& run : runs) all.push_back(run_json(run));
  return all;
}

ordered_json or_null(const std::optional<Status>& status) {
  return status ? ordered_json(name_of(*status)) : ordered_json();
}

ordered_json or_null(const std::optional<Reason>& reason) {
  if (!reason) return {};
  return {{"code", reason->code}, {"text", reason->text}};
}

ordered_json parity_json(const ParityDifference& one) {
  auto error_ratios = ordered_json::array();
  for (const auto& error_ratio : one.error_ratios)
    error_ratios.push_back({{"output", error_ratio.output},
                            {"base", error_ratio.base ? number(*error_ratio.base) : ordered_json()},
                            {"head", number(error_ratio.head)}});
  return {{"id", one.id},
          {"key", one.key},
          {"params", one.params},
          {"change", name_of(one.change)},
          {"base", or_null(one.base)},
          {"head", or_null(one.head)},
          {"error_ratios", std::move(error_ratios)},
          {"repeat", one.repeat}};
}

ordered_json change_json(const std::optional<Change>& change) {
  if (!change) return {};
  return {{"pairs", change->pairs},
          {"ratio", number(change->ratio)},
          {"interval", ordered_json::array({number(change->low), number(change->high)})},
          {"p_changed", change->p_changed},
          {"p_equivalent", change->p_equivalent},
          {"detectable", number(change->detectable)}};
}

ordered_json throughput_json(const ThroughputDifference& one) {
  return {{"id", one.id},
          {"key", one.key},
          {"params", one.params},
          {"variant", one.variant},
          {"verdict", one.verdict},
          {"reason", or_null(one.reason)},
          {"observed", one.observed ? ordered_json(*one.observed) : ordered_json()},
          {"change", change_json(one.change)},
          {"base_s", one.base_s},
          {"head_s", one.head_s},
          {"repeat", one.repeat}};
}

template <class Difference>
ordered_json all_json(const std::vector<Difference>& differences,
                      ordered_json (*to_json)(const Difference&)) {
  auto all = ordered_json::array();
  for (const auto& one : differences) all.push_back(to_json(one));
  return all;
}

ordered_json summary_json(const Comparison& comparison) {
  ordered_json parity{{"compared", comparison.parity_compared},
                      {"failing_in_both", comparison.parity_failing_in_both}};
  for (const auto change :
       {ParityChange::regressed, ParityChange::fixed, ParityChange::changed,
        ParityChange::error_ratio_grew, ParityChange::fresh, ParityChange::missing})
    parity[std::string(name_of(change))] = comparison.count(change);
  ordered_json throughput;
  for (const auto* verdict :
       {"regressed", "improved", "equivalent", "inconclusive", "not_comparable", "new", "missing"})
    throughput[verdict] = comparison.count(verdict);
  return {{"parity", parity}, {"throughput", throughput}, {"exit_code", exit_code(comparison)}};
}

}  // namespace

ordered_json to_json(const Comparison& comparison) {
  const auto& criteria = comparison.options.criteria;
  return {{"schema", "vparity.comparison/1"},
          {"criteria",
           {{"confidence", criteria.confidence},
            {"threshold", criteria.threshold},
            {"looks", criteria.looks},
            {"across_builds", comparison.options.across_builds}}},
          {"base", runs_json(comparison.base)},
          {"head", runs_json(comparison.head)},
          {"notes", comparison.notes},
          {"summary", summary_json(comparison)},
          {"parity", all_json(comparison.parity, parity_json)},
          {"throughput", all_json(comparison.throughput, throughput_json)}};
}

}  // namespace vparity::reports
