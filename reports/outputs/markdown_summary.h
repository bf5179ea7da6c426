// A report as Markdown, for the summary page of a CI system.
#pragma once

#include <cstddef>
#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// GitHub's limit for the summary of a step.
inline constexpr std::size_t markdown_limit = std::size_t{1} << 20;  // bytes

/// The verdict, then the failures with the commands that repeat them. Known failures, skipped and
/// passed cases, the error ratios by output and the provenance are in folded sections. Rows beyond
/// `limit` are left out and counted. Strings of the report cannot become Markdown or HTML.
/// `default_key`: see brief_name (reports/text/failure_text.h).
std::string markdown_summary(const Report& report, const std::string& default_key,
                             std::size_t limit = markdown_limit);

}  // namespace vparity::reports
