// The runs of one side, case by case.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// By run; null where the run does not have it.
using CaseRuns = std::vector<const CaseResult*>;

class Side {
 public:
  /// The runs outlive it.
  Side(const std::vector<ComparedRun>& runs, Measure measure);

  /// In the order in which they first occur.
  const std::vector<std::string>& ids() const { return ids_; }
  bool has(const std::string& id) const { return cases_.contains(id); }
  /// All null where no run has the case.
  const CaseRuns& runs_of(const std::string& id) const;

 private:
  std::vector<std::string> ids_;
  std::map<std::string, CaseRuns> cases_;
  CaseRuns none_;
};

/// The ids of both, base's first.
std::vector<std::string> ids_of(const Side& base, const Side& head);

/// One of them that is not null, the last; there is one.
const CaseResult& any_of(const CaseRuns& runs);

}  // namespace vparity::reports
