#include "reports/outputs/html_report.h"

#include <stdexcept>
#include <string_view>

#include "reports/model/json_text.h"
#include "reports/outputs/page_block.h"

namespace vparity::reports {

/// The page with `data_place` where its data goes; empty without the viewer. Embedded.
std::string_view viewer_page();

namespace {

constexpr std::string_view data_place = "__VPARITY_DATA__";

/// A run without cases has an empty parity report.
bool shows(const Report& report, Measure measure) {
  return report.has(measure) || (report.cases.empty() && measure == Measure::parity);
}

nlohmann::ordered_json data_of(const NamedReport& run) {
  nlohmann::ordered_json data{{"name", run.name}};
  for (const Measure measure : {Measure::parity, Measure::throughput})
    if (shows(*run.report, measure))
      data[std::string(name_of(measure))] = to_json(*run.report, measure);
  return data;
}

}  // namespace

bool has_viewer() { return !viewer_page().empty(); }

std::string html_report(const std::vector<NamedReport>& runs, const std::string& default_key,
                        const nlohmann::ordered_json& comparison, const HistoryPage* history) {
  const auto page = viewer_page();
  const auto place = page.find(data_place);
  if (place == std::string_view::npos) throw std::logic_error("this build has no viewer");
  nlohmann::ordered_json data{{"default_key", default_key},
                              {"runs", nlohmann::ordered_json::array()}};
  if (!comparison.is_null()) data["comparison"] = comparison;
  for (const auto& run : runs) data["runs"].push_back(data_of(run));
  if (history != nullptr) data["history"] = history_json(*history, 1);
  std::string text(page.substr(0, place));
  text += page_block(json_line(data));
  if (history != nullptr)
    for (const auto& block : history_blocks(*history->history)) text += "\n" + page_block(block);
  text += page.substr(place + data_place.size());
  return text;
}

}  // namespace vparity::reports
