#include "reports/model/model.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <stdexcept>

#include "reports/statistics/median.h"

namespace vparity::reports {
namespace {

using nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// Of the file that holds the cases of this measure.
std::string schema_name(Measure measure) {
  return "vparity." + std::string(name_of(measure)) + "/1";
}

Measure measure_of(const std::string& schema) {
  for (const auto measure : {Measure::parity, Measure::throughput})
    if (schema == schema_name(measure)) return measure;
  throw std::invalid_argument("schema is \"" + schema + "\", that of no report");
}

/// 1 where a report that was written by others does not say.
std::int64_t group_size(const CaseResult& result, const char* axis) {
  constexpr std::int64_t most = 1 << 20;
  const auto value = result.params.find(axis);
  if (value == result.params.end() || !value->is_number_integer()) return 1;
  return std::clamp<std::int64_t>(value->get<std::int64_t>(), 1, most);
}

std::int64_t ranks_of(const CaseResult* result) {
  return group_size(*result, "tp") * group_size(*result, "dp");
}

bool tells_bandwidth(const CaseResult& result) {
  return result.was_timed() && !result.timing().oversubscribed && !result.timing().cache_resident;
}

OrderedJson shard_to_json(const Run& run) {
  OrderedJson written{{"index", run.shard_index}, {"count", run.shard_count}};
  if (run.shard_count > 1) {
    written["total"] = run.shard_total;
    written["positions"] = run.shard_positions;
    if (!run.shard_plan.empty()) written["plan"] = run.shard_plan;
  }
  return written;
}

}  // namespace

OrderedJson to_json(const Run& run) {
  OrderedJson written{{"id", run.id},
                      {"matrix", run.matrix},
                      {"started", run.started},
                      {"finished", run.finished},
                      {"argv", run.argv},
                      {"seed", run.seed},
                      {"shard", shard_to_json(run)},
                      {"complete", run.complete}};
  if (run.launch_s > 0) written["launch_s"] = run.launch_s;
  if (run.exit_code) written["exit_code"] = *run.exit_code;
  return written;
}

Run run_from_json(const json& value) {
  const auto& shard = value.at("shard");
  Run run{.id = value.at("id"),
          .matrix = value.at("matrix"),
          .started = value.at("started"),
          .finished = value.at("finished"),
          .argv = value.at("argv"),
          .seed = value.at("seed"),
          .shard_index = shard.at("index"),
          .shard_count = shard.at("count"),
          .shard_positions = shard.value("positions", std::vector<std::int64_t>()),
          .shard_total = shard.value("total", std::int64_t{0}),
          .shard_plan = shard.value("plan", ""),
          .complete = value.at("complete"),
          .launch_s = value.value("launch_s", 0.0),
          .exit_code = std::nullopt};
  if (value.contains("exit_code")) run.exit_code = value["exit_code"].get<int>();
  return run;
}

bool Report::has(Measure measure) const {
  return std::ranges::find(cases, measure, &CaseResult::measure) != cases.end();
}

OrderedJson to_json(const Report& report, Measure measure) {
  const auto known_json = [](const KnownFailure& known) { return to_json(known); };
  std::vector<CaseResult> cases;
  std::ranges::copy_if(report.cases, std::back_inserter(cases),
                       [&](const CaseResult& result) { return result.measure() == measure; });
  OrderedJson written{{"schema", schema_name(measure)},
                      {"run", to_json(report.run)},
                      {"provenance", report.provenance},
                      {"hosts", report.hosts},
                      {"fingerprint", report.fingerprint}};
  if (measure == Measure::throughput) written["machine"] = machine_of(cases);
  written["summary"] = to_json(summarise(cases, report.summary.dropped));
  written["cases"] = array_to_json(cases, [](const CaseResult& result) { return to_json(result); });
  if (!report.known_failures.empty()) {
    written["known_failures"] = array_to_json(report.known_failures, known_json);
  }
  return written;
}

Report report_from_json(const json& value) {
  const Measure measure = measure_of(value.at("schema"));
  const auto case_of = [measure](const json& one) { return case_from_json(one, measure); };
  Report report{.run = run_from_json(value.at("run")),
                .provenance = value.at("provenance"),
                .hosts = value.at("hosts"),
                .fingerprint = value.at("fingerprint"),
                .summary = summary_from_json(value.at("summary")),
                .cases = array_from_json(value.at("cases"), case_of),
                .known_failures = {}};
  if (value.contains("known_failures")) {
    report.known_failures = array_from_json(value["known_failures"], known_failure_from_json);
  }
  return report;
}

OrderedJson machine_of(const std::vector<CaseResult>& cases) {
  std::vector<const CaseResult*> telling;
  for (const auto& result : cases)
    if (tells_bandwidth(result)) telling.push_back(&result);
  if (telling.empty()) return nullptr;
  const auto most = [&telling](auto count) {
    const std::int64_t largest = std::ranges::max(telling | std::views::transform(count));
    std::erase_if(telling, [&](const CaseResult* result) { return count(result) < largest; });
    return largest;
  };
  const std::int64_t ranks = most(ranks_of);
  // Little memory is read slowly, or from a cache.
  most([](const CaseResult* result) { return result->timing().bytes_per_rank; });
  const auto median_of = [&](double Timing::*rank_gbps) {
    std::vector<double> rates;
    for (const auto* result : telling) rates.push_back(result->timing().*rank_gbps);
    return static_cast<double>(ranks) * median(rates);
  };
  return {{"ranks", ranks},
          {"read_gbps", median_of(&Timing::read_gbps)},
          {"copy_gbps", median_of(&Timing::copy_gbps)}};
}

}  // namespace vparity::reports
