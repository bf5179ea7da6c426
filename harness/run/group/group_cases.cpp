#include "harness/run/group/group_cases.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vparity::harness {

using reports::CaseOutcome;
using reports::Reason;
using reports::Status;
using Clock = std::chrono::steady_clock;

GroupCases::GroupCases(const Group& group, RunRecord& record, Reporter& reporter)
    : record_(record), reporter_(reporter) {
  std::ranges::copy_if(group.cases, std::back_inserter(pending_),
                       [&](std::size_t index) { return !record.decided(index); });
}

std::optional<std::size_t> GroupCases::pending_case(const std::string& id) const {
  const auto found = std::ranges::find_if(
      pending_, [&](std::size_t index) { return record_.result(index).id == id; });
  return found == pending_.end() ? std::nullopt : std::optional(*found);
}

void GroupCases::begin(std::size_t index) {
  running_ = index;
  begin_ = Clock::now();
  record_.begin(index);
}

void GroupCases::decide(std::size_t index, CaseOutcome outcome) {
  if (running_ == index) {
    const std::chrono::duration<double> since = Clock::now() - begin_;
    if (outcome.wall_s == 0) outcome.wall_s = since.count();  // its ranks sent no result
    running_.reset();
  }
  record_.decide(index, outcome);
  std::erase(pending_, index);
  reporter_.decided(record_.result(index));
}

void GroupCases::decide(std::size_t index, Status status, const Reason& reason,
                        const std::string& phase) {
  decide(index, {.status = status,
                 .reason = reason,
                 .phase = phase,
                 .wall_s = 0,
                 .outputs = {},
                 .measured = record_.result(index).measured});
}

void GroupCases::decide_rest(Status status, const Reason& reason, const std::string& phase) {
  while (!pending_.empty()) decide(pending_.front(), status, reason, phase);
}

}  // namespace vparity::harness
