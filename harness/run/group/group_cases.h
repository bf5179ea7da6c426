// The cases of one group that are not decided yet.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/run/record/run_record.h"
#include "harness/run/terminal/reporter.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// Indices are those of the plan. Every change is journaled and shown.
class GroupCases {
 public:
  /// The cases of the group that the record has not decided yet.
  GroupCases(const Group& group, RunRecord& record, Reporter& reporter);

  /// Not decided yet, in the order of the plan.
  const std::vector<std::size_t>& pending() const { return pending_; }
  std::optional<std::size_t> pending_case(const std::string& id) const;
  /// The case that has begun and is not decided yet.
  const std::optional<std::size_t>& running() const { return running_; }

  void begin(std::size_t index);
  void decide(std::size_t index, reports::CaseOutcome outcome);
  void decide(std::size_t index, reports::Status status, const reports::Reason& reason,
              const std::string& phase);
  void decide_rest(reports::Status status, const reports::Reason& reason, const std::string& phase);

 private:
  std::vector<std::size_t> pending_;
  RunRecord& record_;
  Reporter& reporter_;
  std::optional<std::size_t> running_;
  std::chrono::steady_clock::time_point begin_;  ///< of the running case
};

}  // namespace vparity::harness
