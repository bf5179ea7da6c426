#include "harness/plan/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "harness/io/usage_error.h"
#include "reports/model/known_failures.h"

namespace vparity::harness {
namespace {

std::vector<PlannedCase> with_id(std::vector<PlannedCase> cases, const std::string& id) {
  std::vector<std::string> known;
  known.reserve(cases.size());
  for (const PlannedCase& planned : cases) known.push_back(planned.job.id);
  std::erase_if(cases, [&](const PlannedCase& planned) { return planned.job.id != id; });
  if (!cases.empty()) return cases;
  const auto nearest = nearest_name(id, known);
  throw UsageError(fmt::format("--case: no case has the id '{}'{}", id,
                               nearest ? fmt::format(" (did you mean {}?)", *nearest)
                                       : " (an id holds the transport: a run by another --launcher "
                                         "has other ids)"));
}

std::vector<PlannedCase> matching(std::vector<PlannedCase> cases, const std::string& filter) {
  const std::size_t count = cases.size();
  std::erase_if(cases, [&](const PlannedCase& planned) {
    return !reports::glob_matches(filter, planned.job.key);
  });
  if (!cases.empty()) return cases;
  throw UsageError(fmt::format(
      "--filter: '{}' matches none of {} case keys (a key is ,name=value,...,name=value,"
      " so that a filter reads '*,tp=2,*')",
      filter, count));
}

}  // namespace

std::vector<PlannedCase> select(std::vector<PlannedCase> cases, const PlanOptions& options) {
  if (!options.case_id.empty()) cases = with_id(std::move(cases), options.case_id);
  if (!options.filter.empty()) cases = matching(std::move(cases), options.filter);
  return cases;
}

std::vector<PlannedCase> shard(std::vector<PlannedCase> cases, const PlanOptions& options) {
  for (std::int64_t position = 0; PlannedCase & planned : cases) planned.position = position++;
  std::erase_if(cases, [&](const PlannedCase& planned) {
    return shard_of(planned.job.id, options.shard_count) != options.shard_index;
  });
  if (!cases.empty()) return cases;
  throw UsageError(fmt::format("--shard: no case falls into part {} of {}", options.shard_index,
                               options.shard_count));
}

int shard_of(const std::string& id, int shards) {
  std::uint64_t number = 0;
  std::from_chars(id.data(), id.data() + id.size(), number, 16);
  return static_cast<int>(number % static_cast<std::uint64_t>(shards)) + 1;
}

}  // namespace vparity::harness
