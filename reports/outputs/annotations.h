// A report as annotations of a GitHub workflow.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// A workflow command "::error title=...::..." per line for what makes the gate say no: at most
/// nine, and a tenth that counts the rest, because GitHub shows ten of a step. Nothing for a pass.
std::string github_annotations(const Report& report, const std::string& default_key);

/// The same of other messages.
std::string github_annotations(std::vector<std::string> messages);

}  // namespace vparity::reports
