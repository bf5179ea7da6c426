// report.html: the viewer's page (reports/viewer) with the reports of runs in it.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history_page.h"
#include "reports/model/model.h"

namespace vparity::reports {

/// Whether this build has the viewer; it takes Node.js to build it.
bool has_viewer();

struct NamedReport {
  std::string name;  ///< what the reader knows the run by
  const Report* report = nullptr;
};

/// One file that needs nothing else. Whatever strings the reports hold, they are data there: in the
/// page they are compressed and in base64 (page_block.h). `default_key` is the key of the case
/// whose axes are all at their default; `comparison`: of the runs, base before head
/// (comparison/comparison.h), or null; `history`: of their cases, or null. Throws std::logic_error
/// without the viewer.
std::string html_report(const std::vector<NamedReport>& runs, const std::string& default_key,
                        const nlohmann::ordered_json& comparison = nullptr,
                        const HistoryPage* history = nullptr);

}  // namespace vparity::reports
