// A report as a page of Markdown, for where a CI system shows one.
#pragma once

#include <cstddef>
#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// What GitHub takes of a step's summary.
inline constexpr std::size_t markdown_limit = std::size_t{1} << 20;  // bytes

/// The verdict, then the failures with the commands that repeat them; known failures, skipped and
/// passed cases, the error ratios by output and the provenance are folded away. What would pass
/// `limit` is left out and counted. Strings of the report are never Markdown or HTML of their own.
/// `default_key`: see brief_name (reports/text/failure_text.h).
std::string markdown_summary(const Report& report, const std::string& default_key,
                             std::size_t limit = markdown_limit);

}  // namespace vparity::reports
