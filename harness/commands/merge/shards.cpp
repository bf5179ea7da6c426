#include "harness/commands/merge/shards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"
#include "harness/plan/selection.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;
using reports::Report;

ordered_json entries_of(const Report& report) {
  auto entries = ordered_json::array();
  for (auto known : report.known_failures) {
    known.state = {};
    entries.push_back(to_json(known));
  }
  return entries;
}

/// Shards of one run have all of this in common.
ordered_json identity_of(const Report& report) {
  return {{"matrix", report.run.matrix},
          {"seed", report.run.seed},
          {"number of shards", report.run.shard_count},
          {"version", report.provenance.at("version")},
          {"revision", report.provenance.at("git")},
          {"build", report.provenance.at("build")},
          {"number of planned cases", total_of(report)},
          {"digest of the planned cases", report.run.shard_plan},
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
  if (positions_of(report).size() != report.cases.size())
    throw UsageError(fmt::format(
        "merge: {}: the report does not give the places of its cases among those of all "
        "shards",
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

/// A shard without cases left no report and is not missing.
void require_all(const std::vector<Shard>& shards) {
  std::int64_t cases = 0;
  for (const auto& shard : shards) cases += std::ssize(shard.report.cases);
  if (cases >= total_of(shards[0].report)) return;
  auto missing = indices_not_given(shards);
  const auto count = missing.size();
  if (count == 0)
    throw UsageError(
        fmt::format("merge: the shards hold {} of {} cases: they belong to different plans", cases,
                    total_of(shards[0].report)));
  constexpr std::size_t enough = 20;
  missing.resize(std::min(count, enough));
  throw UsageError(fmt::format("merge: {} of {} shards are missing: {}{}", count,
                               shards[0].report.run.shard_count, fmt::join(missing, ", "),
                               count > enough ? ", ..." : ""));
}

}  // namespace

std::vector<std::int64_t> positions_of(const Report& report) {
  if (report.run.shard_count > 1) return report.run.shard_positions;
  std::vector<std::int64_t> all(report.cases.size());
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

std::int64_t total_of(const Report& report) {
  return report.run.shard_count > 1 ? report.run.shard_total : std::ssize(report.cases);
}

void require_shards_of_one_run(const std::vector<Shard>& shards) {
  require_one_identity(shards);
  refuse_twice(shards);
  for (const auto& shard : shards) require_its_own_cases(shard);
  require_all(shards);
}

}  // namespace vparity::harness
