#include "reports/outputs/html_report.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

#include "reports/model/json_text.h"

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

/// By hand. zlib's header is 78 9c; fixed Huffman codes: block header 1, 10; "a" is 0x30 + 0x61 =
/// 10010001, end 0000000: bits 1 1 0 10010001 0000000 from the low end are 4b 04 00; the Adler-32
/// of "a" is (1 + 97) << 16 | (1 + 97).
TEST(PageBlock, IsZlibInBase64) {
  // 78 9c 4b | 04 00 00 | 62 00 62
  EXPECT_EQ(page_block("a"), "eJxLBAAAYgBi");
}

/// Longer than one piece of base64; what is longer must have no padding but at its end.
TEST(PageBlock, IsOneText) {
  std::string bytes;
  unsigned state = 1;
  while (bytes.size() < (std::size_t{7} << 20))
    bytes += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24);
  const auto block = page_block(bytes);
  EXPECT_GT(block.size(), bytes.size());  // noise does not shrink
  EXPECT_EQ(block.size() % 4, 0U);
  EXPECT_GE(
      block.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
      block.size() - 2);
}

}  // namespace
}  // namespace vparity::reports
