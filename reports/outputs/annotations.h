// A report as annotations in a GitHub workflow.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// One line "::error title=...::..." for each reason why the gate fails. GitHub shows ten lines of
/// a step, so there are at most nine, and a tenth that counts the rest. Empty if the gate passes.
std::string github_annotations(const Report& report, const std::string& default_key);

/// The same for other messages.
std::string github_annotations(std::vector<std::string> messages);

}  // namespace vparity::reports
