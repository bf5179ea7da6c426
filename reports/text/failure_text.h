// What is wrong with a case, in a line.
#pragma once

#include <string>
#include <string_view>

#include "reports/model/model.h"

namespace vparity::reports {

/// The output furthest out of its bound; null if none is.
const OutputResult* worst_output(const CaseResult& result);

/// "; violated: NAME, NAME", of the invariants that are; empty if none is.
std::string violated_text(const CaseResult& result);

/// Output, worst element and error ratio of the output furthest out of its bound, and what
/// invariants are violated; where no output is out of its bound, the reason. As the ranks worded
/// it: it may hold anything.
std::string what_failed(const CaseResult& result);

/// Status, key, what failed and the command that repeats the case, on one printable line.
std::string failure_line(const CaseResult& result);

/// What of the key differs from `default_key`: "dtype=bf16 tp=2 vocab=1003".
std::string axes_text(std::string_view key, std::string_view default_key);

/// Id and axes_text(): "54e4981c9ea9 dtype=bf16 tp=2 vocab=1003".
/// The same for a case in every run.
std::string brief_name(const CaseResult& result, const std::string& default_key);

}  // namespace vparity::reports
