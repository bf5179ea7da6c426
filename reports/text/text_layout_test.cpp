#include "reports/text/text_layout.h"

#include <gmock/gmock.h>

namespace vparity::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TextLayout, CutSaysThatThereIsMore) {
  EXPECT_EQ(cut("12345", 5), "12345");
  EXPECT_EQ(cut("123456", 5), "12...");
  EXPECT_EQ(cut("one\ntwo"), "one two");
}

TEST(TextLayout, LinesBreakBetweenWords) {
  const std::string forty(40, 'x'), thirty_nine(39, 'y');
  EXPECT_EQ(wrapped(forty + " " + thirty_nine), forty + " " + thirty_nine + "\n");
  EXPECT_EQ(wrapped(forty + " y" + thirty_nine), forty + "\ny" + thirty_nine + "\n");
  EXPECT_EQ(wrapped(forty + " " + thirty_nine, 2), "  " + forty + "\n  " + thirty_nine + "\n");
}

TEST(TextLayout, WhatStandsBehindAHeadStaysUnderItsFirstWord) {
  const std::string forty(40, 'x');
  EXPECT_EQ(wrapped_behind("head: ", "a " + forty + " " + forty),
            "head: a " + forty + "\n      " + forty + "\n");
}

TEST(TextLayout, WordLongerThanALineIsCut) {
  EXPECT_EQ(wrapped(std::string(90, 'x'), 2), "  " + std::string(75, 'x') + "...\n");
}

TEST(TextLayout, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_THAT(table_lines({{"name", "n"}, {"a", "100"}, {"b"}}, {Align::left, Align::right}),
              ElementsAre("name    n", "a     100", "b"));
  EXPECT_EQ(table_text({{"name", "n", "m"}, {"a", "100", "10"}}, {Align::right}),
            "name    n   m\n   a  100  10\n");
  EXPECT_THAT(table_lines({}, {Align::left}), IsEmpty());
}

TEST(Quantities, TimesHaveAUnit) {
  EXPECT_EQ(time_text(1.5), "1.5 s");
  EXPECT_EQ(time_text(0.00537), "5.37 ms");
  EXPECT_EQ(time_text(42e-6), "42 us");
}

TEST(Quantities, ChangesAreInPercent) {
  EXPECT_EQ(change_text(0.05), "+5.00%");
  EXPECT_EQ(change_text(-0.5), "-50.00%");
  EXPECT_EQ(change_text(999), "+1e+05%");
}

}  // namespace
}  // namespace vparity::reports
