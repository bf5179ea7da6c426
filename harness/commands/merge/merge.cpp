#include "harness/commands/merge/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/io/usage_error.h"
#include "harness/run/record/provenance.h"
#include "reports/model/gate.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;
using reports::CaseResult;
using reports::Report;

/// In the order of the plan.
std::vector<CaseResult> cases_of(std::vector<Shard>& shards) {
  std::vector<std::optional<CaseResult>> places(
      static_cast<std::size_t>(total_of(shards[0].report)));
  for (auto& shard : shards) {
    const auto positions = positions_of(shard.report);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto position = static_cast<std::size_t>(positions[i]);
      if (position >= places.size() || places[position])
        throw UsageError(
            fmt::format("merge: {} belongs to another plan than the other shards: the place of its "
                        "case {} is taken or does not exist",
                        shard.run, shard.report.cases[i].id));
      places[position] = std::move(shard.report.cases[i]);
    }
  }
  std::vector<CaseResult> cases;
  for (auto& place : places) cases.push_back(*std::move(place));
  return cases;
}

/// Shards may have run on different machines: lists the values, separated by " | ".
void add_different(ordered_json& to, const ordered_json& from) {
  if (from.is_null()) return;
  if (to.is_null()) {
    to = from;
    return;
  }
  const auto known = to.get<std::string>(), more = from.get<std::string>();
  if (fmt::format(" | {} | ", known).find(fmt::format(" | {} | ", more)) == std::string::npos)
    to = known + " | " + more;
}

void add_provenance(Report& to, const Report& from) {
  add_different(to.provenance.at("simd"), from.provenance.at("simd"));
  for (const auto& [name, version] : from.provenance.at("libraries").items())
    add_different(to.provenance.at("libraries")[name], version);
  for (const auto& host : from.hosts)
    if (std::ranges::find(to.hosts, host) == to.hosts.end()) to.hosts.push_back(host);
}

reports::Run run_of(const std::vector<Shard>& shards) {
  reports::Run run = shards[0].report.run;
  run.id += "-merged";
  run.shard_index = run.shard_count = 1;
  run.shard_positions.clear();
  run.launch_s = 0;
  for (const auto& shard : shards) {
    run.launch_s += shard.report.run.launch_s;
    run.started = std::min(run.started, shard.report.run.started);
    run.finished = std::max(run.finished, shard.report.run.finished);
  }
  return run;
}

/// The shards' exit codes say what their cases do not.
reports::ExitCode exit_code_of(const Report& merged, const std::vector<int>& codes,
                               bool strict_skips) {
  const auto any = [&](int code) { return std::ranges::find(codes, code) != codes.end(); };
  return exit_code(merged,
                   {.refused = any(reports::exit_usage),
                    .late = any(reports::exit_timeout),
                    .broken = any(reports::exit_infrastructure)},
                   strict_skips);
}

}  // namespace

Report merge(std::vector<Shard> shards) {
  require_shards_of_one_run(shards);
  std::ranges::sort(shards, {}, [](const Shard& shard) { return shard.report.run.shard_index; });
  Report merged = shards[0].report;
  merged.run = run_of(shards);
  std::string last_start;
  std::vector<int> codes;
  bool strict_skips = false;
  for (const auto& shard : shards) {
    add_provenance(merged, shard.report);
    last_start = std::max(last_start, shard.report.run.started);
    codes.push_back(shard.report.run.exit_code.value_or(0));
    const auto complaints = other_complaints(shard.report);
    strict_skips |= std::ranges::count(complaints, "strict_skips", &reports::Reason::code) > 0;
  }
  merged.cases = cases_of(shards);
  merged.fingerprint = fingerprint_of(merged.provenance, merged.hosts);
  constexpr std::size_t date_length = 10;
  judge_known_failures(merged, last_start.substr(0, date_length));
  merged.run.complete = merged.summary.not_run == 0;
  merged.run.exit_code = exit_code_of(merged, codes, strict_skips);
  return merged;
}

}  // namespace vparity::harness
