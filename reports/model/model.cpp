#include "reports/model/model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace vparity::reports {
namespace {

/// Of the file that holds the cases of this measure.
std::string schema_name(Measure measure) {
  return "vparity." + std::string(name_of(measure)) + "/1";
}

constexpr std::array<std::pair<Status, std::string_view>, 8> status_names{{
    {Status::passed, "passed"},
    {Status::failed, "failed"},
    {Status::untrusted, "untrusted"},
    {Status::error, "error"},
    {Status::timeout, "timeout"},
    {Status::crashed, "crashed"},
    {Status::skipped, "skipped"},
    {Status::not_run, "not_run"},
}};

using OrderedJson = nlohmann::ordered_json;
using nlohmann::json;

OrderedJson worst_to_json(const std::optional<WorstElement>& worst) {
  if (!worst) return nullptr;
  return {{"row", worst->row},
          {"column", worst->column},
          {"rank", worst->rank},
          {"expected", number(worst->expected)},
          {"actual", number(worst->actual)}};
}

std::optional<WorstElement> worst_from_json(const json& value) {
  if (value.is_null()) return std::nullopt;
  return WorstElement{.row = value.at("row"),
                      .column = value.at("column"),
                      .rank = value.at("rank"),
                      .expected = number_from(value.at("expected")),
                      .actual = number_from(value.at("actual"))};
}

OrderedJson to_json(const OutputResult& output) {
  OrderedJson value{{"name", output.name},
                    {"elements", output.elements},
                    {"checked", output.checked},
                    {"mismatches", output.mismatches},
                    {"nonfinite", output.nonfinite},
                    {"max_abs", number(output.max_abs)},
                    {"max_rel", number(output.max_rel)},
                    {"max_ulp", number(output.max_ulp)},
                    {"rms", number(output.rms)},
                    {"error_ratio", number(output.error_ratio)},
                    {"bound", {{"k", number(output.bound_k)}, {"C", number(output.bound_c)}}},
                    {"worst", worst_to_json(output.worst)}};
  if (output.nontrivial) value["nontrivial"] = *output.nontrivial;
  if (output.naive) {
    value["naive"] = {{"max_abs", number(output.naive->max_abs)},
                      {"error_ratio", number(output.naive->error_ratio)}};
  }
  return value;
}

std::optional<std::int64_t> nontrivial_from(const json& output) {
  if (!output.contains("nontrivial")) return std::nullopt;
  return output["nontrivial"].get<std::int64_t>();
}

std::optional<NaiveError> naive_from(const json& output) {
  if (!output.contains("naive")) return std::nullopt;
  const json& naive = output["naive"];
  return NaiveError{number_from(naive.at("max_abs")), number_from(naive.at("error_ratio"))};
}

OutputResult output_from_json(const json& value) {
  return {.name = value.at("name"),
          .elements = value.at("elements"),
          .checked = value.at("checked"),
          .mismatches = value.at("mismatches"),
          .nonfinite = value.at("nonfinite"),
          .max_abs = number_from(value.at("max_abs")),
          .max_rel = number_from(value.at("max_rel")),
          .max_ulp = number_from(value.at("max_ulp")),
          .rms = number_from(value.at("rms")),
          .error_ratio = number_from(value.at("error_ratio")),
          .nontrivial = nontrivial_from(value),
          .naive = naive_from(value),
          .bound_k = number_from(value.at("bound").at("k")),
          .bound_c = number_from(value.at("bound").at("C")),
          .worst = worst_from_json(value.at("worst"))};
}

OrderedJson to_json(const Invariant& invariant) {
  return {{"name", invariant.name},
          {"ok", invariant.ok},
          {"value", number(invariant.value)},
          {"bound", number(invariant.bound)}};
}

Invariant invariant_from_json(const json& value) {
  return {.name = value.at("name"),
          .ok = value.at("ok"),
          .value = number_from(value.at("value")),
          .bound = number_from(value.at("bound"))};
}

OrderedJson reason_to_json(const std::optional<Reason>& reason) {
  if (!reason) return nullptr;
  return {{"code", reason->code}, {"text", reason->text}};
}

std::optional<Reason> reason_from_json(const json& value) {
  if (value.is_null()) return std::nullopt;
  return Reason{.code = value.at("code"), .text = value.at("text")};
}

Status status_from_json(const json& value) {
  const auto name = value.get<std::string>();
  if (const auto status = status_named(name)) return *status;
  throw std::invalid_argument("unknown status \"" + name + "\"");
}

template <typename Element, typename Convert>
OrderedJson array_to_json(const std::vector<Element>& elements, Convert convert) {
  auto array = OrderedJson::array();
  for (const auto& element : elements) array.push_back(convert(element));
  return array;
}

template <typename Convert>
auto array_from_json(const json& array, Convert convert) {
  std::vector<decltype(convert(array))> elements;
  elements.reserve(array.size());
  for (const auto& element : array) elements.push_back(convert(element));
  return elements;
}

}  // namespace

std::string_view name_of(Status status) {
  for (const auto& [value, name] : status_names) {
    if (value == status) return name;
  }
  throw std::invalid_argument("a status without a name");
}

std::optional<Status> status_named(std::string_view name) {
  for (const auto& [value, known] : status_names) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::string_view name_of(Measure measure) {
  return measure == Measure::parity ? "parity" : "throughput";
}

bool is_failure(Status status) { return status != Status::passed && status != Status::skipped; }

OrderedJson number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

double number_from(const json& value) {
  if (value.is_number()) return value.get<double>();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto text = value.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return infinity;
  if (text == "-Infinity") return -infinity;
  throw std::invalid_argument("\"" + text + "\" is no number (nor NaN, Infinity, -Infinity)");
}

OrderedJson to_json(const CaseResult& result) {
  const bool parity = result.measure == Measure::parity;
  const auto output_json = [](const OutputResult& output) { return to_json(output); };
  const auto invariant_json = [](const Invariant& invariant) { return to_json(invariant); };
  const auto object_or_empty = [](const OrderedJson& value) {
    return value.is_null() ? OrderedJson::object() : value;
  };
  OrderedJson json{{"id", result.id},
                   {"key", result.key},
                   {"params", object_or_empty(result.params)},
                   {"status", name_of(result.status)},
                   {"reason", reason_to_json(result.reason)},
                   {"phase", result.phase},
                   {"attempts", result.attempts},
                   {"wall_s", number(result.wall_s)},
                   {"repeat", result.repeat},
                   {"outputs", array_to_json(result.outputs, output_json)}};
  if (parity) {
    json["occurrence"] = object_or_empty(result.occurrence);
    json["invariants"] = array_to_json(result.invariants, invariant_json);
    json["rank_agreement"] = result.rank_agreement;
    json["inputs_unchanged"] = result.inputs_unchanged;
    if (!result.phases_s.empty()) json["phases_s"] = result.phases_s;
  } else {
    json["op"] = result.params.value("op", "forward_backward");
    json.update(to_json(result.timing));
  }
  if (!result.known_failure.empty()) json["known_failure"] = result.known_failure;
  return json;
}

CaseResult case_from_json(const json& value) {
  CaseResult result{.id = value.at("id"),
                    .key = value.at("key"),
                    .params = value.at("params"),
                    .status = status_from_json(value.at("status")),
                    .reason = reason_from_json(value.at("reason")),
                    .phase = value.at("phase"),
                    .attempts = value.at("attempts"),
                    .wall_s = number_from(value.at("wall_s")),
                    .repeat = value.at("repeat"),
                    .known_failure = value.value("known_failure", ""),
                    .outputs = array_from_json(value.at("outputs"), output_from_json)};
  if (value.contains("samples_s")) {
    result.measure = Measure::throughput;
    result.timing = timing_from_json(value);
  } else {
    result.occurrence = value.at("occurrence");
    result.invariants = array_from_json(value.at("invariants"), invariant_from_json);
    result.rank_agreement = value.at("rank_agreement");
    result.inputs_unchanged = value.at("inputs_unchanged");
    if (value.contains("phases_s")) value["phases_s"].get_to(result.phases_s);
  }
  return result;
}

OrderedJson shard_to_json(const Run& run) {
  OrderedJson json{{"index", run.shard_index}, {"count", run.shard_count}};
  if (run.shard_count > 1) {
    json["total"] = run.shard_total;
    json["positions"] = run.shard_positions;
    if (!run.shard_plan.empty()) json["plan"] = run.shard_plan;
  }
  return json;
}

OrderedJson to_json(const Run& run) {
  OrderedJson json{{"id", run.id},
                   {"matrix", run.matrix},
                   {"started", run.started},
                   {"finished", run.finished},
                   {"argv", run.argv},
                   {"seed", run.seed},
                   {"shard", shard_to_json(run)},
                   {"complete", run.complete}};
  if (run.launch_s > 0) json["launch_s"] = run.launch_s;
  if (run.exit_code) json["exit_code"] = *run.exit_code;
  return json;
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
                       [&](const CaseResult& result) { return result.measure == measure; });
  OrderedJson json{{"schema", schema_name(measure)},
                   {"run", to_json(report.run)},
                   {"provenance", report.provenance},
                   {"hosts", report.hosts},
                   {"fingerprint", report.fingerprint}};
  if (measure == Measure::throughput) json["machine"] = machine_of(cases);
  json["summary"] = to_json(summarise(cases, report.summary.dropped));
  json["cases"] = array_to_json(cases, [](const CaseResult& result) { return to_json(result); });
  if (!report.known_failures.empty()) {
    json["known_failures"] = array_to_json(report.known_failures, known_json);
  }
  return json;
}

Report report_from_json(const json& value) {
  const auto schema = value.at("schema").get<std::string>();
  if (schema != schema_name(Measure::parity) && schema != schema_name(Measure::throughput)) {
    throw std::invalid_argument("schema is \"" + schema + "\", that of no report");
  }
  Report report{.run = run_from_json(value.at("run")),
                .provenance = value.at("provenance"),
                .hosts = value.at("hosts"),
                .fingerprint = value.at("fingerprint"),
                .summary = summary_from_json(value.at("summary")),
                .cases = array_from_json(value.at("cases"), case_from_json),
                .known_failures = {}};
  if (value.contains("known_failures")) {
    report.known_failures = array_from_json(value["known_failures"], known_failure_from_json);
  }
  return report;
}

OrderedJson machine_of(const std::vector<CaseResult>& cases) {
  std::map<std::int64_t, std::pair<std::vector<double>, std::vector<double>>> by_ranks;
  std::map<std::int64_t, std::int64_t> most_bytes;  // little memory is read slowly, or from a cache
  const auto tells = [](const Timing& timing) {
    return !timing.samples_s.empty() && !timing.oversubscribed && !timing.cache_resident;
  };
  // A report that was written by others need not say them.
  const auto size_of_group = [](const CaseResult& result, const char* axis) {
    constexpr std::int64_t most = 1 << 20;
    const auto value = result.params.find(axis);
    if (value == result.params.end() || !value->is_number_integer()) return std::int64_t{1};
    return std::clamp<std::int64_t>(value->get<std::int64_t>(), 1, most);
  };
  const auto ranks_of = [&](const CaseResult& result) {
    return size_of_group(result, "tp") * size_of_group(result, "dp");
  };
  for (const auto& result : cases) {
    if (!tells(result.timing)) continue;
    auto& most = most_bytes[ranks_of(result)];
    most = std::max(most, result.timing.bytes_per_rank);
  }
  for (const auto& result : cases) {
    const Timing& timing = result.timing;
    if (!tells(timing) || timing.bytes_per_rank < most_bytes[ranks_of(result)]) continue;
    const auto ranks = ranks_of(result);
    by_ranks[ranks].first.push_back(timing.read_gbps);
    by_ranks[ranks].second.push_back(timing.copy_gbps);
  }
  if (by_ranks.empty()) return nullptr;
  auto& [ranks, rates] = *by_ranks.rbegin();
  const auto median_of_all = [ranks = ranks](std::vector<double>& rank_gbps) {
    std::ranges::sort(rank_gbps);
    return static_cast<double>(ranks) * rank_gbps[rank_gbps.size() / 2];
  };
  return {{"ranks", ranks},
          {"read_gbps", median_of_all(rates.first)},
          {"copy_gbps", median_of_all(rates.second)}};
}

}  // namespace vparity::reports
