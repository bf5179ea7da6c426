// report.html: the viewer's page (reports/viewer) with the reports of runs in it.
#pragma once

#include <string>
#include <string_view>
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

/// The page: one file that loads nothing else. Strings of the reports cannot become markup, because
/// all data are in page_block()s. `default_key` is the key of the case whose axes are all at their
/// default. `comparison` compares the runs, base before head (comparison/comparison.h), or is null.
/// `history` is the history of their cases, or null. Throws std::logic_error without the viewer.
std::string html_report(const std::vector<NamedReport>& runs, const std::string& default_key,
                        const nlohmann::ordered_json& comparison = nullptr,
                        const HistoryPage* history = nullptr);

/// `bytes` as the page carries them: compressed by zlib (RFC 1950), in base64 (RFC 4648). The
/// result has only letters, digits, "+", "/" and "=", so HTML takes none of it for markup. The
/// viewer's blocks.ts reads it.
std::string page_block(std::string_view bytes);

}  // namespace vparity::reports
