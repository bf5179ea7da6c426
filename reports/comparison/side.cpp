#include "reports/comparison/side.h"

namespace vparity::reports {

Side::Side(const std::vector<ComparedRun>& runs, Measure measure) : none_(runs.size(), nullptr) {
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const auto& result : runs[run].report.cases) {
      if (result.measure() != measure) continue;
      const auto [at, added] = cases_.try_emplace(result.id, none_);
      at->second[run] = &result;
      if (added) ids_.push_back(result.id);
    }
  }
}

const CaseRuns& Side::runs_of(const std::string& id) const {
  const auto found = cases_.find(id);
  return found == cases_.end() ? none_ : found->second;
}

std::vector<std::string> ids_of(const Side& base, const Side& head) {
  auto ids = base.ids();
  for (const auto& id : head.ids())
    if (!base.has(id)) ids.push_back(id);
  return ids;
}

const CaseResult& any_of(const CaseRuns& runs) {
  const CaseResult* found = nullptr;
  for (const auto* result : runs)
    if (result != nullptr) found = result;
  return *found;
}

}  // namespace vparity::reports
