#include "reports/outputs/html_report.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

#include "reports/model/json_text.h"
#include "reports/outputs/page_block.h"

namespace vparity::reports {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr auto default_key = ",dp=1,tp=1,";

Report report_named(const std::string& matrix) {
  Report report;
  report.run.matrix = matrix;
  report.hosts = nlohmann::ordered_json::array();
  return report;
}

class HtmlReport : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_viewer()) GTEST_SKIP() << "this build has no viewer";
  }

  /// What stands in the page's data element.
  static std::string data_of(const std::vector<NamedReport>& runs) {
    const auto page = html_report(runs, default_key);
    const std::string opening = R"(<script type="text/plain" id="data">)";
    const auto begin = page.find(opening) + opening.size();
    return page.substr(begin, page.find("</script>", begin) - begin);
  }
};

/// Read back by another program in harness/run/outputs/outputs_test.py, and by the browser.
TEST_F(HtmlReport, HoldsEachRunUnderItsName) {
  const auto first = report_named("one"), second = report_named("two");
  const auto data = data_of({{"a", &first}, {"b", &second}});
  const nlohmann::ordered_json expected{
      {"default_key", default_key},
      {"runs",
       {{{"name", "a"}, {"parity", to_json(first, Measure::parity)}},
        {{"name", "b"}, {"parity", to_json(second, Measure::parity)}}}}};
  EXPECT_EQ(data, page_block(json_line(expected)));
}

TEST_F(HtmlReport, StringsAreNoMarkup) {
  const std::string hostile =
      "</script><!--<script>&lt;\"'\\\xE2\x80\xA8\xE2\x80\xA9 __VPARITY_DATA__";
  const auto report = report_named(hostile);
  EXPECT_THAT(data_of({{hostile, &report}}), MatchesRegex("[A-Za-z0-9+/=]+"));
}

TEST_F(HtmlReport, NeedsNothingElse) {
  const auto report = report_named("m");
  const auto page = html_report({{"a", &report}}, default_key);
  for (const auto* word : {"src=", "@import", "<link"}) EXPECT_THAT(page, Not(HasSubstr(word)));
}

TEST(HtmlReportWithoutViewer, IsRefused) {
  if (has_viewer()) GTEST_SKIP() << "this build has the viewer";
  EXPECT_THROW(html_report({}, default_key), std::logic_error);
}

}  // namespace
}  // namespace vparity::reports
