#include "harness/rank/worker/throughput_job.h"

#include <algorithm>
#include <string>
#include <vector>

#include "harness/case/setting.h"
#include "harness/rank/ranks/process_grid.h"
#include "harness/rank/timing/timed_set.h"

namespace vparity::harness {
namespace {

/// The cases of one setting, in the order of the first of each.
std::vector<std::vector<JobCase>> sets_of(const std::vector<JobCase>& cases) {
  std::vector<std::vector<JobCase>> sets;
  for (const JobCase& job : cases) {
    const CaseParameters setting = setting_of(job.parameters);
    const auto found = std::ranges::find_if(sets, [&](const std::vector<JobCase>& set) {
      return setting_of(set.front().parameters) == setting;
    });
    if (found == sets.end())
      sets.push_back({job});
    else
      found->push_back(job);
  }
  return sets;
}

}  // namespace

void run_throughput_job(const MatrixJob& job, Communicator& world, const EventWriter& events) {
  const TimingCallbacks callbacks{
      .on_case =
          [&](const JobCase& one) {
            events.write({{"event", "case"}, {"id", one.id}});
          },
      .on_phase =
          [&](const JobCase& one, std::string_view phase) {
            events.write({{"event", "phase"}, {"id", one.id}, {"phase", phase}});
          }};
  for (const auto& set : sets_of(job.cases)) {
    const ProcessGrid grid(world, set.front().parameters.tp);
    const auto outcomes = time_set(set, job, grid, callbacks);
    for (std::size_t i = 0; i < set.size(); ++i)
      events.write({{"event", "result"}, {"id", set[i].id}, {"outcome", to_json(outcomes[i])}});
  }
}

}  // namespace vparity::harness
