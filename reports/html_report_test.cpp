#include "reports/html_report.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

namespace vparity::reports {
namespace {

using testing::HasSubstr;
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
    const std::string opening = R"(<script type="application/json" id="data">)";
    const auto begin = page.find(opening) + opening.size();
    return page.substr(begin, page.find("</script>", begin) - begin);
  }
};

TEST_F(HtmlReport, HoldsEachRunUnderItsName) {
  const auto first = report_named("one"), second = report_named("two");
  const auto data = nlohmann::json::parse(data_of({{"a", &first}, {"b", &second}}));
  EXPECT_EQ(data["default_key"], default_key);
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["name"], "a");
  EXPECT_EQ(data["runs"][1]["parity"]["run"]["matrix"], "two");
}

TEST_F(HtmlReport, StringsComeBackAsTheyWereAndAreNoMarkup) {
  const std::string hostile =
      "</script><!--<script>&lt;\"'\\\xE2\x80\xA8\xE2\x80\xA9 __VPARITY_DATA__";
  const auto report = report_named(hostile);
  const auto data = data_of({{hostile, &report}});
  for (const auto* character : {"<", ">", "&", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    EXPECT_THAT(data, Not(HasSubstr(character)));
  const auto read = nlohmann::json::parse(data);
  EXPECT_EQ(read["runs"][0]["name"], hostile);
  EXPECT_EQ(read["runs"][0]["parity"]["run"]["matrix"], hostile);
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
