#include "harness/commands/selftest/catalogue.h"

#include <gmock/gmock.h>

#include <set>

#include "harness/case/axes.h"
#include "harness/commands/selftest/selftest_plan.h"
#include "harness/io/usage_error.h"
#include "harness/provider/known_bugs/known_bugs.h"
#include "harness/provider/registry/registry.h"

namespace vparity::harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(KnownBugs, AreProvidersThatSayWhatIsWrongWithThem) {
  for (const KnownBug& known : known_bugs()) {
    EXPECT_THAT(std::string(known.provider), StartsWith("known-bug-"));
    EXPECT_NE(find_provider(known.provider), nullptr) << known.provider;
    EXPECT_THAT(known.what, Not(IsEmpty())) << known.provider;
    EXPECT_THAT(known.cases, Not(IsEmpty())) << known.provider;
  }
}

TEST(KnownBugs, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const KnownBug& known : known_bugs()) EXPECT_TRUE(names.insert(known.provider).second);
  EXPECT_EQ(known_bug_catalogue().size(), names.size());
}

/// Cases of tp 1, 2 and 4, as of a matrix.
Plan three_cases() {
  Plan plan;
  plan.seed = 7;
  for (const int tp : {1, 2, 4}) {
    PlannedCase planned;
    planned.job.parameters.tp = tp;
    planned.job.parameters.vocab = 16;
    planned.job.key = case_key(planned.job.parameters);
    planned.job.id = case_id(planned.job.key);
    plan.cases.push_back(planned);
  }
  return plan;
}

/// "provider tp" of a subject's cases.
std::vector<std::string> cases_of(const SelftestPlan& selftest, std::size_t subject) {
  std::vector<std::string> cases;
  for (const std::size_t index : selftest.subjects.at(subject).cases) {
    const JobCase& job = selftest.plan.cases.at(index).job;
    cases.push_back(job.parameters.provider + " " + std::to_string(job.parameters.tp));
    EXPECT_THAT(job.key, HasSubstr(",provider=" + job.parameters.provider + ","));
    EXPECT_EQ(job.id, case_id(job.key));
  }
  return cases;
}

TEST(SelftestPlan, CasesOfOtherProvidersAreTheirs) {
  Plan plan = three_cases();
  plan.cases[1].job.parameters.provider = "three-allreduce";
  const auto selftest = plan_selftest(plan, {{"known-bug-a", "*"}}, true);
  EXPECT_THAT(cases_of(selftest, 0), ElementsAre("vparity 1", "vparity 4"));
  EXPECT_THAT(cases_of(selftest, 2), ElementsAre("known-bug-a 1", "known-bug-a 4"));
}

TEST(SelftestPlan, RightProvidersRunEveryCaseThatAnyBugTakes) {
  const auto selftest = plan_selftest(
      three_cases(), {{"known-bug-a", "*,tp=4,*"}, {"known-bug-b", "*,tp=[24],*"}}, false);
  EXPECT_EQ(selftest.plan.seed, 7U);
  ASSERT_EQ(selftest.subjects.size(), 4U);
  EXPECT_THAT(cases_of(selftest, 0), ElementsAre("vparity 2", "vparity 4"));
  EXPECT_THAT(cases_of(selftest, 1), ElementsAre("plain 2", "plain 4"));
  EXPECT_THAT(cases_of(selftest, 2), ElementsAre("known-bug-a 4"));
  EXPECT_THAT(cases_of(selftest, 3), ElementsAre("known-bug-b 2", "known-bug-b 4"));
  EXPECT_FALSE(selftest.subjects[1].has_bug);
  EXPECT_TRUE(selftest.subjects[2].has_bug);
}

TEST(SelftestPlan, ABugTakesCasesOfItsBackendAlone) {
  Plan plan = three_cases();
  plan.cases[1].job.parameters.backend = Backend::cuda_sim;
  for (const bool all : {false, true}) {
    const auto selftest =
        plan_selftest(plan, {{"known-bug-a", "*"}, {"known-bug-b", "*", Backend::cuda_sim}}, all);
    EXPECT_THAT(cases_of(selftest, 0), ElementsAre("vparity 1", "vparity 2", "vparity 4"));
    EXPECT_THAT(cases_of(selftest, 2), ElementsAre("known-bug-a 1", "known-bug-a 4"));
    EXPECT_THAT(cases_of(selftest, 3), ElementsAre("known-bug-b 2"));
  }
}

TEST(KnownBugs, RunOnTheBackendThatTheirEntryNames) {
  for (const CatalogueEntry& entry : known_bug_catalogue()) {
    const Provider& provider = provider_named(entry.provider);
    EXPECT_TRUE(provider.runs_on(entry.backend)) << entry.provider;
    EXPECT_EQ(provider.runs_on(Backend::cpu), entry.backend == Backend::cpu) << entry.provider;
    EXPECT_FALSE(provider.runs_on(Backend::cuda)) << entry.provider;
  }
}

TEST(SelftestPlan, AllCasesAreForEveryone) {
  const auto selftest = plan_selftest(three_cases(), {{"known-bug-a", "*,tp=4,*"}}, true);
  EXPECT_THAT(cases_of(selftest, 2),
              ElementsAre("known-bug-a 1", "known-bug-a 2", "known-bug-a 4"));
}

TEST(SelftestPlan, AnEntryWithoutCasesIsAnError) {
  EXPECT_THAT(
      [] {
        plan_selftest(three_cases(), {{"known-bug-a", "*,tp=3,*"}}, false);
      },
      ThrowsMessage<UsageError>(HasSubstr("'*,tp=3,*' matches none")));
}

}  // namespace
}  // namespace vparity::harness
