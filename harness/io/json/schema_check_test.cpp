#include "harness/io/json/schema_check.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

#include "harness/plan/matrix/matrix_file_test_support.h"
#include "reports/schemas/schemas.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

/// What is wrong with `value`, without the file's name.
std::string complaint(const char* value, const char* schema) {
  return error_of([&] { require_valid(json::parse(value), json::parse(schema), "file"); },
                  "file: ");
}

TEST(SchemaCheck, NamesThePlaceOfAValueInObjectsAndLists) {
  constexpr auto schema =
      R"({"properties": {"a/b": {"items": {"properties": {"c~": {"type": "integer"}}}}}})";
  EXPECT_EQ(complaint(R"({"a/b": [{}, {"c~": "x"}]})", schema),
            R"(/a~1b/1/c~0: must be of type integer, not "x")");
  EXPECT_EQ(complaint(R"({"a/b": [{}, {"c~": 4}]})", schema), "accepted");
}

TEST(SchemaCheck, WholeNumbersWithAFractionAreNoIntegers) {
  EXPECT_EQ(complaint("1.0", R"({"type": "integer"})"), "must be of type integer, not 1.0");
  EXPECT_EQ(complaint("1.0", R"({"type": "number"})"), "accepted");
}

TEST(SchemaCheck, LimitsAreExactForTheLargestIntegers) {
  constexpr auto schema = R"({"minimum": 0, "maximum": 9223372036854775807})";
  EXPECT_EQ(complaint("9223372036854775807", schema), "accepted");
  EXPECT_EQ(complaint("9223372036854775808", schema),
            "9223372036854775808 is more than 9223372036854775807");
  EXPECT_EQ(complaint("-1", schema), "-1 is less than 0");
}

TEST(SchemaCheck, PatternsLookAtTheWholeText) {
  constexpr auto schema = R"({"pattern": "^[a-z]+$"})";
  EXPECT_EQ(complaint(R"("abc")", schema), "accepted");
  for (const auto* text : {R"("abc\n")", R"("a\u0000")", R"("")", R"("aBc")"})
    EXPECT_NE(complaint(text, schema), "accepted") << text;
}

TEST(SchemaCheck, FirstOfTheAlternativesThatFitsWillDo) {
  constexpr auto schema = R"({"anyOf": [{"type": "number"}, {"enum": ["NaN"]}]})";
  EXPECT_EQ(complaint(R"("NaN")", schema), "accepted");
  EXPECT_EQ(complaint(R"("nan")", schema), R"(is "nan", must be one of ["NaN"])");
}

TEST(SchemaCheck, ConditionChoosesWhatElseHolds) {
  constexpr auto schema = R"({"if": {"properties": {"s": {"const": 1}}},
    "then": {"required": ["a"]}, "else": {"required": ["b"]}})";
  EXPECT_EQ(complaint(R"({"s": 1})", schema), "\"a\" is missing");
  EXPECT_EQ(complaint(R"({"s": 2})", schema), "\"b\" is missing");
}

TEST(SchemaCheck, UnknownKeysNameTheNearestKnownOne) {
  EXPECT_EQ(complaint(R"({"shcema": 1})",
                      R"({"properties": {"schema": {}}, "additionalProperties": false})"),
            R"(unknown key "shcema" (did you mean schema?))");
}

TEST(SchemaCheck, KeywordThatIsNotUnderstoodIsNoticedWhereverItStands) {
  EXPECT_THROW(complaint("1", R"({"properties": {"a": {"anyOf": [{"multipleOf": 2}]}}})"),
               std::logic_error);
}

TEST(SchemaCheck, UnderstandsThePublishedSchemas) {
  for (const auto schema : {reports::parity_schema(), reports::known_failures_schema()})
    EXPECT_NE(complaint("{}", std::string(schema).c_str()), "accepted");
}

}  // namespace
}  // namespace vparity::harness
