#include "reports/model/case_result.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace vparity::reports {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 8> names_of_statuses{{
    {Status::passed, "passed"},
    {Status::failed, "failed"},
    {Status::untrusted, "untrusted"},
    {Status::error, "error"},
    {Status::timeout, "timeout"},
    {Status::crashed, "crashed"},
    {Status::skipped, "skipped"},
    {Status::not_run, "not_run"},
}};

using nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

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

Measure measure_named(const std::string& name) {
  for (const auto measure : {Measure::parity, Measure::throughput})
    if (name == name_of(measure)) return measure;
  throw std::invalid_argument("unknown measure \"" + name + "\"");
}

OrderedJson to_json(const ParityFindings& parity) {
  const auto invariant_json = [](const Invariant& invariant) { return to_json(invariant); };
  OrderedJson written{{"occurrence", parity.occurrence},
                      {"invariants", array_to_json(parity.invariants, invariant_json)},
                      {"rank_agreement", parity.rank_agreement},
                      {"inputs_unchanged", parity.inputs_unchanged}};
  if (!parity.phases_s.empty()) written["phases_s"] = parity.phases_s;
  return written;
}

ParityFindings parity_from_json(const json& value) {
  return {.phases_s = value.value("phases_s", std::map<std::string, double>()),
          .occurrence = value.at("occurrence"),
          .invariants = array_from_json(value.at("invariants"), invariant_from_json),
          .rank_agreement = value.at("rank_agreement"),
          .inputs_unchanged = value.at("inputs_unchanged")};
}

OrderedJson to_json(const Measured& measured) {
  return std::visit([](const auto& one) { return to_json(one); }, measured);
}

Measured measured_from_json(const json& value, Measure measure) {
  if (measure == Measure::parity) return parity_from_json(value);
  return timing_from_json(value);
}

OrderedJson outputs_to_json(const std::vector<OutputResult>& outputs) {
  return array_to_json(outputs, [](const OutputResult& output) { return to_json(output); });
}

void read_outcome(CaseOutcome& outcome, const json& value, Measure measure) {
  outcome.status = status_from_json(value.at("status"));
  outcome.reason = reason_from_json(value.at("reason"));
  outcome.phase = value.at("phase");
  outcome.wall_s = number_from(value.at("wall_s"));
  outcome.outputs = array_from_json(value.at("outputs"), output_from_json);
  outcome.measured = measured_from_json(value, measure);
}

}  // namespace

std::string_view name_of(Status status) {
  for (const auto& [value, name] : names_of_statuses) {
    if (value == status) return name;
  }
  throw std::invalid_argument("a status without a name");
}

std::optional<Status> status_named(std::string_view name) {
  for (const auto& [value, known] : names_of_statuses) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::string_view name_of(Measure measure) {
  return measure == Measure::parity ? "parity" : "throughput";
}

bool is_failure(Status status) { return status != Status::passed && status != Status::skipped; }

Measured unmeasured(Measure measure) {
  if (measure == Measure::parity) return ParityFindings{};
  return Timing{};
}

Measure CaseOutcome::measure() const {
  return std::holds_alternative<ParityFindings>(measured) ? Measure::parity : Measure::throughput;
}

bool CaseOutcome::was_timed() const {
  return measure() == Measure::throughput && !timing().samples_s.empty();
}

OrderedJson to_json(const CaseOutcome& outcome) {
  OrderedJson written{
      {"measure", name_of(outcome.measure())},    {"status", name_of(outcome.status)},
      {"reason", reason_to_json(outcome.reason)}, {"phase", outcome.phase},
      {"wall_s", number(outcome.wall_s)},         {"outputs", outputs_to_json(outcome.outputs)}};
  written.update(to_json(outcome.measured));
  return written;
}

CaseOutcome outcome_from_json(const json& value) {
  CaseOutcome outcome;
  read_outcome(outcome, value, measure_named(value.at("measure")));
  return outcome;
}

OrderedJson to_json(const CaseResult& result) {
  OrderedJson written{{"id", result.id},
                      {"key", result.key},
                      {"params", result.params},
                      {"status", name_of(result.status)},
                      {"reason", reason_to_json(result.reason)},
                      {"phase", result.phase},
                      {"attempts", result.attempts},
                      {"wall_s", number(result.wall_s)},
                      {"repeat", result.repeat},
                      {"outputs", outputs_to_json(result.outputs)}};
  if (result.measure() == Measure::throughput)
    written["op"] = result.params.value("op", "forward_backward");
  written.update(to_json(result.measured));
  if (!result.known_failure.empty()) written["known_failure"] = result.known_failure;
  return written;
}

CaseResult case_from_json(const json& value, Measure measure) {
  CaseResult result;
  read_outcome(result, value, measure);
  result.id = value.at("id");
  result.key = value.at("key");
  result.params = value.at("params");
  result.attempts = value.at("attempts");
  result.repeat = value.at("repeat");
  result.known_failure = value.value("known_failure", "");
  return result;
}

}  // namespace vparity::reports
