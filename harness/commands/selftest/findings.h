// What a selftest found out about each provider.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/commands/selftest/selftest_plan.h"
#include "harness/run/group/group_job.h"
#include "reports/model/exit_code.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// Of a provider with a known bug: `caught` by wrong results in at least one case, else
/// `missed`. Of a right one: `passed` or `failed`. Of either: `undecided` if there is no such
/// result, but a case that ended without one (crashed, timeout, error, not run). A crash is
/// nobody's catch.
enum class Judgement { passed, caught, failed, missed, undecided };
std::string_view name_of(Judgement judgement);

struct Finding {
  Subject subject;
  Judgement judgement = Judgement::undecided;
  std::int64_t failed = 0;  ///< cases with wrong results
  // Of the failed case with the largest error ratio:
  std::string case_id = {};
  std::string evidence = {};  ///< its worst output, or the reason's code where none is out of bound
  double error_ratio = 0;     ///< 0 in that case
};

/// `cases` are those of the plan. Wrong results are those of status `failed`; `untrusted` proves
/// nothing, neither against a provider nor for it.
std::vector<Finding> judge(const std::vector<Subject>& subjects,
                           const std::vector<reports::CaseResult>& cases);

/// Docs: docs/command-line.md. 1 if a bug was missed or a right provider failed; else by what
/// became of the cases that ended without a result.
reports::ExitCode exit_code_of(const std::vector<Finding>& findings,
                               const std::vector<reports::CaseResult>& cases, const GroupEnd& end);

}  // namespace vparity::harness
