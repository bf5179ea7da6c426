#include "harness/merge/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/case/json_value.h"
#include "harness/plan/selection.h"
#include "harness/run/provenance.h"
#include "harness/usage_error.h"
#include "reports/gate.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;
using reports::CaseResult;
using reports::ParityReport;

/// Where the cases of a shard stand among those of all shards.
std::vector<std::int64_t> positions_of(const Shard& shard) {
  const auto& [run, report] = shard;
  if (report.run.shard_count > 1) return report.run.shard_positions;
  std::vector<std::int64_t> all(report.cases.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  return all;
}

std::int64_t total_of(const ParityReport& report) {
  return report.run.shard_count > 1 ? report.run.shard_total : std::ssize(report.cases);
}

ordered_json entries_of(const ParityReport& report) {
  auto entries = ordered_json::array();
  for (auto known : report.known_failures) {
    known.state = {};
    entries.push_back(to_json(known));
  }
  return entries;
}

/// What shards of one run have in common.
ordered_json identity_of(const ParityReport& report) {
  return {{"matrix", report.run.matrix},
          {"seed", report.run.seed},
          {"number of shards", report.run.shard_count},
          {"version", report.provenance.at("version")},
          {"revision", report.provenance.at("git")},
          {"build", report.provenance.at("build")},
          {"number of planned cases", total_of(report)},
          {"number of dropped points", report.summary.dropped},
          {"known failures", entries_of(report)}};
}

void require_one_identity(const std::vector<Shard>& shards) {
  const auto first = identity_of(shards[0].report);
  for (const auto& shard : shards) {
    const auto other = identity_of(shard.report);
    for (const auto& [name, value] : other.items()) {
      if (value == first.at(name)) continue;
      throw UsageError(fmt::format("merge: {} and {} are not of one run: {} {} and {}",
                                   shards[0].run, shard.run, name, shown(first.at(name)),
                                   shown(value)));
    }
  }
}

void require_its_own_cases(const Shard& shard) {
  const auto& [run, report] = shard;
  if (positions_of(shard).size() != report.cases.size())
    throw UsageError(
        fmt::format("merge: {}: the report does not say where its cases stand among "
                    "those of all shards",
                    run));
  for (const auto& result : report.cases) {
    const int right = shard_of(result.id, report.run.shard_count);
    if (right != report.run.shard_index)
      throw UsageError(fmt::format("merge: {}: case {} belongs to shard {}, not {}", run, result.id,
                                   right, report.run.shard_index));
  }
}

void refuse_twice(const std::vector<Shard>& shards) {
  for (std::size_t i = 1; i < shards.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int index = shards[i].report.run.shard_index;
      if (index == shards[j].report.run.shard_index)
        throw UsageError(fmt::format("merge: {} and {} are both shard {} of {}", shards[j].run,
                                     shards[i].run, index, shards[i].report.run.shard_count));
    }
  }
}

std::vector<int> indices_not_given(const std::vector<Shard>& shards) {
  std::vector<int> missing;
  for (int index = 1; index <= shards[0].report.run.shard_count; ++index) {
    const bool given = std::ranges::any_of(
        shards, [&](const Shard& shard) { return shard.report.run.shard_index == index; });
    if (!given) missing.push_back(index);
  }
  return missing;
}

/// A shard without a case left no report, and none is missed.
void require_all(const std::vector<Shard>& shards) {
  std::int64_t cases = 0;
  for (const auto& shard : shards) cases += std::ssize(shard.report.cases);
  if (cases >= total_of(shards[0].report)) return;
  auto missing = indices_not_given(shards);
  const auto count = missing.size();
  if (count == 0)
    throw UsageError(
        fmt::format("merge: the shards hold {} of {} cases: they are of different plans", cases,
                    total_of(shards[0].report)));
  constexpr std::size_t enough = 20;
  missing.resize(std::min(count, enough));
  throw UsageError(fmt::format("merge: {} of {} shards are missing: {}{}", count,
                               shards[0].report.run.shard_count, fmt::join(missing, ", "),
                               count > enough ? ", ..." : ""));
}

/// In the order of the plan.
std::vector<CaseResult> cases_of(std::vector<Shard>& shards) {
  require_all(shards);
  std::vector<std::optional<CaseResult>> places(
      static_cast<std::size_t>(total_of(shards[0].report)));
  for (auto& shard : shards) {
    const auto positions = positions_of(shard);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto position = static_cast<std::size_t>(positions[i]);
      if (position >= places.size() || places[position])
        throw UsageError(
            fmt::format("merge: {} is of another plan than the other shards: there is "
                        "no place left for its case {}",
                        shard.run, shard.report.cases[i].id));
      places[position] = std::move(shard.report.cases[i]);
    }
  }
  std::vector<CaseResult> cases;
  for (auto& place : places) cases.push_back(*std::move(place));
  return cases;
}

/// Shards may have run on machines of different kinds.
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

void add_provenance(ParityReport& to, const ParityReport& from) {
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
  for (const auto& shard : shards) {
    run.started = std::min(run.started, shard.report.run.started);
    run.finished = std::max(run.finished, shard.report.run.finished);
  }
  return run;
}

/// What the shards' exit codes say beyond their cases.
int exit_code_of(const ParityReport& merged, const std::vector<int>& codes, bool strict_skips) {
  const auto any = [&](int code) { return std::ranges::find(codes, code) != codes.end(); };
  return exit_code(merged, {.refused = any(2), .late = any(4), .broken = any(3)}, strict_skips);
}

}  // namespace

ParityReport merge(std::vector<Shard> shards) {
  require_one_identity(shards);
  refuse_twice(shards);
  std::ranges::sort(shards, {}, [](const Shard& shard) { return shard.report.run.shard_index; });
  ParityReport merged = shards[0].report;
  merged.run = run_of(shards);
  std::string last_start;
  std::vector<int> codes;
  bool strict_skips = false;
  for (const auto& shard : shards) {
    require_its_own_cases(shard);
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
