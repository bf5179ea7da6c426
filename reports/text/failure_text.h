// One line that says what is wrong with a case.
#pragma once

#include <string>
#include <string_view>

#include "reports/model/model.h"

namespace vparity::reports {

/// The wrong output with the largest error ratio; null if no output is wrong.
const OutputResult* worst_output(const CaseResult& result);

/// "; violated: NAME, NAME" for the violated invariants; empty if there are none.
std::string violated_text(const CaseResult& result);

/// The worst output with its worst element and error ratio, and the violated invariants. If no
/// output is wrong, the reason. The text comes from the ranks and may hold any bytes.
std::string what_failed(const CaseResult& result);

/// Status, key, what failed and the command that repeats the case, on one printable line.
std::string failure_line(const CaseResult& result);

/// The axes of `key` that differ from `default_key`: "dtype=bf16 tp=2 vocab=1003".
std::string axes_text(std::string_view key, std::string_view default_key);

/// Id and axes_text(): "54e4981c9ea9 dtype=bf16 tp=2 vocab=1003".
/// A case has the same name in every run.
std::string brief_name(const CaseResult& result, const std::string& default_key);

}  // namespace vparity::reports
