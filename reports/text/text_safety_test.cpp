#include "reports/text/text_safety.h"

#include <gmock/gmock.h>

#include <string>

namespace vparity::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Printable, KeepsTextOfAnyScriptTabsAndLineBreaks) {
  const std::string text = "a\tb\r\nжá日🎉\u00a0\uFFFD";
  EXPECT_EQ(printable(text), text);
}

TEST(Printable, ReplacesWhatXmlAndTerminalsDoNotTake) {
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(printable("\x1b[31m"), "\uFFFD[31m");
  EXPECT_EQ(printable("\x7f\u0080\u009f"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(printable("\uFFFE\uFFFF"), "\uFFFD\uFFFD");
}

TEST(Printable, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\xff\x62"), "a\uFFFDb");
  EXPECT_EQ(printable("\xc3"), "\uFFFD");
  EXPECT_THAT(printable("\xed\xa0\x80"), Not(HasSubstr("\xed\xa0\x80")));  // a surrogate
}

TEST(OneLine, HasNoControlsAndNoBreaks) {
  EXPECT_EQ(one_line("a\tb\r\nc\x1b[31m"), "a b  c\xEF\xBF\xBD[31m");
}

TEST(LogText, KeepsLinesThatAreNoCommands) {
  const std::string text = "a\tb::c: # ## [x]\n\n  : d\nwithout an end";
  EXPECT_EQ(log_text(text), text);
  EXPECT_EQ(log_text("\n"), "\n");
  EXPECT_EQ(log_text(""), "");
}

TEST(LogText, HasNoCommandInAnyLine) {
  EXPECT_EQ(log_text("::error::x"), "\uFFFD:error::x");
  EXPECT_EQ(log_text("a\n \t::warning title=t::x\n"), "a\n \t\uFFFD:warning title=t::x\n");
  EXPECT_EQ(log_text("a\r::error::x"), "a ::error::x");
  EXPECT_EQ(log_text("a ##[error]x ##[group]"), "a \uFFFD#[error]x \uFFFD#[group]");
  EXPECT_EQ(log_text("###[error]x"), "#\uFFFD#[error]x");
}

TEST(LogText, HasNothingThatATerminalObeys) {
  EXPECT_EQ(log_text("\x1b[2J\a\b\xff\n"), "\uFFFD[2J\uFFFD\uFFFD\uFFFD\n");
}

TEST(XmlText, HasNoMarkupOfItsOwn) {
  EXPECT_EQ(xml_text("</testcase>]]>&amp;\n"), "&#60;/testcase&#62;]]&#62;&#38;amp;\n");
}

TEST(XmlAttribute, EndsNoQuotesAndKeepsItsLineBreaks) {
  EXPECT_EQ(xml_attribute("a\"b\n\t"), "a&#34;b&#10;&#9;");
}

TEST(MarkdownCode, IsOneLineWithoutMarkup) {
  EXPECT_EQ(markdown_code("a|b\n`c` <d>"), "<code>a&#124;b &#96;c&#96; &#60;d&#62;</code>");
}

TEST(MarkdownCode, CutsLongTextBetweenCharacters) {
  std::string text = "x";  // so that the limit falls into the middle of an e with an accent
  for (int i = 0; i < 2000; ++i) text += "é";
  const auto code = markdown_code(text);
  EXPECT_THAT(code, testing::EndsWith("é…</code>"));
  EXPECT_LT(code.size(), 2020U);
}

TEST(GithubEscaped, LeavesNoLineBreakAndNoEscapeOfTheTextsOwn) {
  EXPECT_EQ(github_escaped("50%0A\r\n::error::x"), "50%250A%0D%0A::error::x");
}

}  // namespace
}  // namespace vparity::reports
