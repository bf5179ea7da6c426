#include "reports/html_report.h"

#include <array>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/json_text.h"

namespace vparity::reports {

/// The page with `data_place` where its data goes; empty without the viewer. Embedded.
std::string_view viewer_page();

namespace {

constexpr std::string_view data_place = "__VPARITY_DATA__";

/// Outside its strings JSON has none of these. "<", ">" and "&" could end or begin an element; the
/// line separators were no part of a JavaScript string before ECMAScript 2019.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> escapes{{
    {"<", "\\u003c"},
    {">", "\\u003e"},
    {"&", "\\u0026"},
    {"\xE2\x80\xA8", "\\u2028"},
    {"\xE2\x80\xA9", "\\u2029"},
}};

std::string without_markup(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  while (!json.empty()) {
    std::size_t length = 1;
    std::string_view written = json.substr(0, 1);
    for (const auto& [from, to] : escapes)
      if (json.starts_with(from)) std::tie(length, written) = std::pair(from.size(), to);
    text += written;
    json.remove_prefix(length);
  }
  return text;
}

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
                        const nlohmann::ordered_json& comparison) {
  const auto page = viewer_page();
  const auto place = page.find(data_place);
  if (place == std::string_view::npos) throw std::logic_error("this build has no viewer");
  nlohmann::ordered_json data{{"default_key", default_key},
                              {"runs", nlohmann::ordered_json::array()}};
  if (!comparison.is_null()) data["comparison"] = comparison;
  for (const auto& run : runs) data["runs"].push_back(data_of(run));
  std::string text(page.substr(0, place));
  text += without_markup(json_line(data));
  text += page.substr(place + data_place.size());
  return text;
}

}  // namespace vparity::reports
