#include "harness/run/outputs/known_failures_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/matrix/matrix_file_test_support.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

json entry(const std::string& match = "*,tp=2,*", const std::string& expiry = "2026-12-31") {
  return {{"match", match},
          {"reason", "rounding"},
          {"owner", "ann"},
          {"issue", "https://example.org/7"},
          {"expiry", expiry}};
}

std::string text_of(const json& entries) {
  return json{{"schema", "vparity.known-failures/1"}, {"entries", entries}}.dump();
}

std::string complaint(const std::string& text) {
  const TemporaryFile file("known.json", text);
  return error_of([&] { read_known_failures(file.path()); }, file.path());
}

std::string complaint_about(const json& wrong) { return complaint(text_of({entry("*"), wrong})); }

TEST(KnownFailuresFile, GivesItsEntries) {
  const TemporaryFile file("known.json", text_of({entry(), entry("*,tp=3,*", "2028-02-29")}));
  const auto entries = read_known_failures(file.path());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].match, "*,tp=2,*");
  EXPECT_EQ(entries[0].reason, "rounding");
  EXPECT_EQ(entries[0].owner, "ann");
  EXPECT_EQ(entries[0].issue, "https://example.org/7");
  EXPECT_EQ(entries[1].expiry, "2028-02-29");
}

TEST(KnownFailuresFile, MayBeEmptyOfEntries) {
  EXPECT_EQ(complaint(text_of(json::array())), "accepted");
}

TEST(KnownFailuresFile, EveryMemberIsNeeded) {
  for (const auto* member : {"match", "reason", "owner", "issue", "expiry"}) {
    auto wrong = entry();
    wrong.erase(member);
    EXPECT_EQ(complaint_about(wrong), std::string(": /entries/1: \"") + member + "\" is missing");
    wrong[member] = "";
    EXPECT_THAT(complaint_about(wrong), StartsWith(std::string(": /entries/1/") + member));
  }
}

TEST(KnownFailuresFile, UnknownMembersNameTheNearest) {
  auto wrong = entry();
  wrong["expires"] = "2026-12-31";
  EXPECT_THAT(complaint_about(wrong), HasSubstr("unknown key \"expires\" (did you mean expiry?)"));
}

TEST(KnownFailuresFile, ExpiryIsADayOfTheCalendar) {
  for (const auto* wrong : {"2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-1-1",
                            "31.12.2026", "2026-12-31T00:00:00Z", "never"})
    EXPECT_THAT(complaint_about(entry("*", wrong)), StartsWith(": /entries/1/expiry: ")) << wrong;
}

TEST(KnownFailuresFile, MatchThatNoKeyCanMeetIsRefused) {
  EXPECT_THAT(complaint_about(entry("tp=2")), HasSubstr("matches no case key"));
  EXPECT_THAT(complaint_about(entry("*,tp=2")), HasSubstr("matches no case key"));
  EXPECT_THAT(complaint_about(entry("*,tpp=2,*")),
              HasSubstr("there is no axis 'tpp' (did you mean tp?)"));
  for (const auto* possible : {"*,tp=[23],*", ",*,tp=2,*", "*tp=2,*", "*,dtype=bf16,*,vocab=1*"})
    EXPECT_EQ(complaint_about(entry(possible)), "accepted") << possible;
}

TEST(KnownFailuresFile, LongMatchThatWouldKeepTheGlobBusyIsRefused) {
  const auto match_of = [](std::size_t characters) {
    std::string match = "*,";
    while (match.size() < characters - 1) match += '?';
    return match + "*";
  };
  EXPECT_EQ(complaint_about(entry(match_of(4096))), "accepted");
  EXPECT_EQ(complaint_about(entry(match_of(4097))),
            ": /entries/1/match: must be no longer than 4096 characters");
}

TEST(KnownFailuresFile, SameMatchTwiceIsRefused) {
  EXPECT_EQ(complaint_about(entry("*")), ": /entries/1/match: \"*\" stands here twice");
}

TEST(KnownFailuresFile, OtherFilesAreRefused) {
  EXPECT_THAT(complaint("{"), StartsWith(":1:"));
  EXPECT_THAT(complaint(R"({"schema": "vparity.known-failures/2", "entries": []})"),
              StartsWith(": /schema: "));
  EXPECT_THAT(complaint("[]"), HasSubstr("must be of type object"));
}

}  // namespace
}  // namespace vparity::harness
