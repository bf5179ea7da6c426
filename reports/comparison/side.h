// The runs of one side of a run comparison, by case.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// The results of one case, one for each run; null if the run does not have the case.
using CaseRuns = std::vector<const CaseResult*>;

class Side {
 public:
  /// Keeps pointers into `runs`.
  Side(const std::vector<ComparedRun>& runs, Measure measure);

  /// Case ids, in the order in which they first occur.
  const std::vector<std::string>& ids() const { return ids_; }
  bool has(const std::string& id) const { return cases_.contains(id); }
  /// All null if no run has the case.
  const CaseRuns& runs_of(const std::string& id) const;

 private:
  std::vector<std::string> ids_;
  std::map<std::string, CaseRuns> cases_;
  CaseRuns none_;
};

/// The ids of both sides, those of base first.
std::vector<std::string> ids_of(const Side& base, const Side& head);

/// The last result that is not null. There must be one.
const CaseResult& any_of(const CaseRuns& runs);

}  // namespace vparity::reports
