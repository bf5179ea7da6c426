#include "harness/commands/selftest/selftest_plan.h"

#include <algorithm>
#include <set>

#include "harness/case/axes.h"
#include "harness/plan/selection.h"

namespace vparity::harness {
namespace {

/// The kernels of this repository and the plain kernels, from which the known bugs deviate. If the
/// plain kernels were wrong, a known bug could be caught because of their error.
constexpr const char* right_providers[] = {"vparity", "plain"};

/// The matrix also holds cases of other providers, which another's name would only repeat.
std::vector<PlannedCase> cases_of_the_kernels(const Plan& ci) {
  std::vector<PlannedCase> cases = ci.cases;
  std::erase_if(cases,
                [](const PlannedCase& one) { return one.job.parameters.provider != "vparity"; });
  return cases;
}

std::vector<PlannedCase> of_backend(std::vector<PlannedCase> cases, Backend backend) {
  std::erase_if(cases,
                [&](const PlannedCase& one) { return one.job.parameters.backend != backend; });
  return cases;
}

PlannedCase with_provider(PlannedCase planned, const std::string& provider) {
  planned.job.parameters.provider = provider;
  planned.job.key = case_key(planned.job.parameters);
  planned.job.id = case_id(planned.job.key);
  return planned;
}

void add_subject(SelftestPlan& selftest, const std::string& provider, bool has_bug,
                 const std::vector<PlannedCase>& cases) {
  Subject subject{provider, has_bug, {}};
  for (const PlannedCase& planned : cases) {
    subject.cases.push_back(selftest.plan.cases.size());
    selftest.plan.cases.push_back(with_provider(planned, provider));
    selftest.plan.cases.back().position = std::ssize(selftest.plan.cases) - 1;
  }
  selftest.subjects.push_back(std::move(subject));
}

}  // namespace

SelftestPlan plan_selftest(const Plan& ci, const Catalogue& catalogue, bool all_cases) {
  std::vector<PlannedCase> all_taken = cases_of_the_kernels(ci);
  std::vector<std::vector<PlannedCase>> cases_of_entry;
  std::set<std::string> taken;
  for (const CatalogueEntry& entry : catalogue) {
    PlanOptions taking;
    if (!all_cases) taking.filter = entry.cases;
    cases_of_entry.push_back(select(of_backend(all_taken, entry.backend), taking));
    for (const PlannedCase& planned : cases_of_entry.back()) taken.insert(planned.job.id);
  }
  std::erase_if(all_taken, [&](const PlannedCase& one) { return !taken.contains(one.job.id); });

  SelftestPlan selftest;
  selftest.plan.name = "selftest";
  selftest.plan.seed = ci.seed;
  for (const char* provider : right_providers) add_subject(selftest, provider, false, all_taken);
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    add_subject(selftest, catalogue[i].provider, true, cases_of_entry[i]);
  selftest.plan.shards_total = std::ssize(selftest.plan.cases);
  return selftest;
}

}  // namespace vparity::harness
