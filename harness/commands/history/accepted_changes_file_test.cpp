#include "harness/commands/history/accepted_changes_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harness/plan/matrix/matrix_file_test_support.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

json entry(const std::string& match = "*,tp=2,*", const std::string& from = "2026-11-30") {
  return {{"match", match},
          {"measure", "throughput"},
          {"from", from},
          {"reason", "one more pass, for exact sums"},
          {"commit", "0123abc"}};
}

std::string text_of(const json& entries) {
  return json{{"schema", "vparity.accepted-changes/1"}, {"entries", entries}}.dump();
}

std::string complaint(const std::string& text) {
  const TemporaryFile file("accepted.json", text);
  return error_of([&] { read_accepted_changes(file.path()); }, file.path());
}

std::string complaint_about(const json& wrong) { return complaint(text_of({entry("*"), wrong})); }

json with(const std::string& member, const json& value) {
  auto changed = entry();
  changed[member] = value;
  return changed;
}

TEST(AcceptedChangesFile, GivesItsEntries) {
  const TemporaryFile file("accepted.json", text_of({entry(), with("measure", "parity")}));
  const auto entries = read_accepted_changes(file.path());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].match, "*,tp=2,*");
  EXPECT_EQ(entries[0].measure, reports::Measure::throughput);
  EXPECT_EQ(entries[0].from, "2026-11-30");
  EXPECT_EQ(entries[0].reason, "one more pass, for exact sums");
  EXPECT_EQ(entries[0].commit, "0123abc");
  EXPECT_EQ(entries[1].measure, reports::Measure::parity);
}

TEST(AcceptedChangesFile, MayBeEmptyOfEntries) {
  EXPECT_EQ(complaint(text_of(json::array())), "accepted");
}

TEST(AcceptedChangesFile, EveryMemberIsNeeded) {
  for (const auto* member : {"match", "measure", "from", "reason", "commit"}) {
    auto wrong = entry();
    wrong.erase(member);
    EXPECT_EQ(complaint_about(wrong), std::string(": /entries/1: \"") + member + "\" is missing");
    EXPECT_THAT(complaint_about(with(member, "")),
                StartsWith(std::string(": /entries/1/") + member));
  }
}

TEST(AcceptedChangesFile, UnknownMembersNameTheNearest) {
  EXPECT_THAT(complaint_about(with("reasons", "x")),
              HasSubstr("unknown key \"reasons\" (did you mean reason?)"));
}

TEST(AcceptedChangesFile, FromIsADayOfTheCalendar) {
  for (const auto* wrong : {"2026-02-29", "2026-13-01", "2026-1-1", "2026-12-31T00:00:00Z"})
    EXPECT_THAT(complaint_about(entry("*", wrong)), StartsWith(": /entries/1/from: ")) << wrong;
}

TEST(AcceptedChangesFile, CommitIsARevision) {
  for (const auto* wrong : {"main", "012345", "0123ABC", "0123abg"})
    EXPECT_THAT(complaint_about(with("commit", wrong)), StartsWith(": /entries/1/commit: "))
        << wrong;
  EXPECT_EQ(complaint_about(with("commit", std::string(40, 'a'))), "accepted");
}

TEST(AcceptedChangesFile, MeasureIsOneOfTwo) {
  EXPECT_THAT(complaint_about(with("measure", "speed")), StartsWith(": /entries/1/measure: "));
}

TEST(AcceptedChangesFile, MatchThatNoKeyCanMeetIsRefused) {
  EXPECT_THAT(complaint_about(entry("tp=2")), HasSubstr("matches no case key"));
  EXPECT_THAT(complaint_about(entry("*,tpp=2,*")),
              HasSubstr("there is no axis 'tpp' (did you mean tp?)"));
}

TEST(AcceptedChangesFile, SameEntryTwiceIsRefused) {
  EXPECT_THAT(complaint_about(entry("*")), StartsWith(": /entries/1/match: \"*\" is listed twice"));
  EXPECT_EQ(complaint_about(entry("*", "2026-12-01")), "accepted");
}

TEST(AcceptedChangesFile, OtherFilesAreRefused) {
  EXPECT_THAT(complaint("{"), StartsWith(":1:"));
  EXPECT_THAT(complaint(R"({"schema": "vparity.known-failures/1", "entries": []})"),
              StartsWith(": /schema: "));
}

}  // namespace
}  // namespace vparity::harness
