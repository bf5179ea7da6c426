#include "harness/io/json/json_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/plan/matrix/matrix_file_test_support.h"

namespace vparity::harness {
namespace {

using testing::HasSubstr;

/// What reading `text` complains about, without the file's name.
std::string complaint(const std::string& text) {
  const TemporaryFile file("file.json", text);
  return error_of([&] { read_json_file(file.path()); }, file.path());
}

TEST(JsonFile, GivesWhatStandsInIt) {
  const TemporaryFile file("file.json", R"({"a": [1, 2.5, "x", null, true]})");
  EXPECT_EQ(read_json_file(file.path()).dump(), R"({"a":[1,2.5,"x",null,true]})");
}

TEST(JsonFile, TruncatedTextIsNamedByLineAndColumn) {
  EXPECT_THAT(complaint("{\"a\": 1,\n \"b\": [1, 2"), HasSubstr(":2:12: unexpected end of input"));
  EXPECT_THAT(complaint(""), HasSubstr(":1:1: unexpected end of input"));
}

TEST(JsonFile, TextAfterTheValueIsRefused) { EXPECT_THAT(complaint("{} x"), HasSubstr(":1:4: ")); }

TEST(JsonFile, NulBytesEndNothing) {
  using namespace std::string_literals;
  EXPECT_THAT(complaint("{}\n\0x"s), HasSubstr(":2:1: unexpected NUL byte"));
  EXPECT_THAT(complaint("{}\0"s), HasSubstr(":1:3: unexpected NUL byte"));
  EXPECT_THAT(complaint("\0{}"s), HasSubstr(":1:1: unexpected NUL byte"));
}

TEST(JsonFile, AKeyStandsOnceInAnObject) {
  EXPECT_EQ(complaint(R"({"a": {"b": 1, "c": [{}], "b": 2}})"),
            ": /a: key \"b\" stands here twice");
  EXPECT_EQ(complaint(R"([{"a": 1}, {"a": 1}])"), "accepted");
}

TEST(JsonFile, NumbersBeyondADoubleAreNamedByPlace) {
  EXPECT_EQ(complaint(R"({"a": [0, {"x/y": 1e999}]})"), ": /a/1/x~1y: the number is too large");
}

TEST(JsonFile, NestingIsLimited) {
  EXPECT_EQ(complaint(std::string(100'000, '[')), ": nested deeper than 32 levels");
  EXPECT_EQ(complaint(std::string(32, '[') + std::string(32, ']')), "accepted");
}

/// What parsing `text` as line 7 of "log" complains about.
std::string complaint_of_line(std::string_view text) {
  return error_of([&] { parse_json(text, "log", 7); }, "log");
}

TEST(JsonText, OfALineIsNamedByThatLine) {
  using namespace std::string_literals;
  EXPECT_EQ(parse_json("{\"a\":1}", "log", 7).dump(), "{\"a\":1}");
  EXPECT_THAT(complaint_of_line("{\"a\": tru}"), HasSubstr(":7:10: "));
  EXPECT_EQ(complaint_of_line("{}\0"s), ":7:3: unexpected NUL byte");
  EXPECT_THAT(complaint_of_line("{} {}"), HasSubstr(":7:4: "));
  EXPECT_THAT(complaint_of_line("[\"\xc0\xaf\"]"), HasSubstr("UTF-8"));
  EXPECT_EQ(complaint_of_line(R"({"a":{"b":1,"b":2}})"), ":7: /a: key \"b\" stands here twice");
  EXPECT_EQ(complaint_of_line(R"([-1e999])"), ":7: /0: the number is too large");
  EXPECT_EQ(complaint_of_line(std::string(33, '[')), ":7: nested deeper than 32 levels");
}

TEST(JsonFile, SizeIsLimited) {
  EXPECT_EQ(complaint(fmt::format("{:{}}", "{}", json_file_limit + 1)), ": larger than 4 MiB");
}

TEST(JsonFile, BytesThatAreNoTextAreRefused) {
  EXPECT_THAT(complaint("{\"a\": \"\xff\"}"), HasSubstr("UTF-8"));
}

TEST(JsonFile, UnreadableFilesAreNamed) {
  EXPECT_EQ(error_of([] { read_json_file("no/such.json"); }, ""),
            "no/such.json: No such file or directory");
  EXPECT_EQ(error_of([] { read_json_file("/"); }, ""), "/: not a regular file");
}

}  // namespace
}  // namespace vparity::harness
