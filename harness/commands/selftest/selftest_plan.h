// From the catalogue to the cases of a selftest: all providers in one plan, so that one job per
// world size runs them all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/commands/selftest/catalogue.h"
#include "harness/plan/plan.h"

namespace vparity::harness {

/// A provider on trial.
struct Subject {
  std::string provider;
  bool has_bug = false;            ///< must be caught; else must pass
  std::vector<std::size_t> cases;  ///< indices into the plan's cases
};

struct SelftestPlan {
  Plan plan;
  std::vector<Subject> subjects;
};

/// `ci` has the cases of each backend. Each entry's provider on its cases of its backend, or on
/// all of these; before them the providers that must pass, on every case that any entry takes.
/// Throws UsageError for an entry that takes no case.
SelftestPlan plan_selftest(const Plan& ci, const Catalogue& catalogue, bool all_cases);

}  // namespace vparity::harness
