#include "reports/history/history_page.h"

#include <gmock/gmock.h>

#include "reports/history/packed_series.h"

namespace vparity::reports {
namespace {

History history_of(std::size_t series) {
  History history{.nights = {{.run_id = "r", .started = "2026-09-16T08:05:03Z", .complete = true}}};
  for (std::size_t i = 0; i < series; ++i)
    history.series.push_back({.measure = Measure::throughput,
                              .id = std::to_string(i),
                              .key = ",tp=2,",
                              .variant = "fast",
                              .repeat = "again",
                              .points = {{.status = Status::passed, .value = 1.0 + i}}});
  return history;
}

TEST(HistoryPage, HasNightsSeriesAndFindings) {
  const auto history = history_of(2);
  HistoryPage page{.history = &history};
  page.check.findings = {
      {.series = 1, .night = 0, .by_sudden_rise = true, .before = 1, .after = 2}};
  page.check.too_short = 2;
  page.accepted = {{.match = "*", .from = "2026-09-15", .reason = "why", .commit = "abc"},
                   {.match = "*", .from = "2026-09-16", .reason = "later", .commit = "def"},
                   {.match = "*", .from = "2026-09-17", .reason = "not yet", .commit = "f"}};
  const auto json = history_json(page, 7);
  EXPECT_EQ(json["first_block"], 7);
  EXPECT_EQ(json["nights"][0]["started"], "2026-09-16T08:05:03Z");
  EXPECT_EQ(json["nights"][0]["exit_code"], nullptr);
  EXPECT_EQ(json["series"]["id"], nlohmann::json({"0", "1"}));
  EXPECT_EQ(json["series"]["measure"][0], "throughput");
  EXPECT_EQ(json["series"]["unit"][0], "seconds");
  EXPECT_EQ(json["series"]["status_before"][0], nullptr);
  EXPECT_EQ(json["series"]["status_now"][0], "passed");
  EXPECT_EQ(json["series"]["value_before"][0], "NaN");
  EXPECT_EQ(json["series"]["value_now"][1], 2);
  EXPECT_EQ(json["series"]["repeat"], nlohmann::json({nullptr, "again"}));
  EXPECT_EQ(json["findings"][0]["sudden_rise"], true);
  EXPECT_EQ(json["findings"][0]["open"], true);
  EXPECT_EQ(json["findings"][0]["p"], nullptr);
  EXPECT_EQ(json["series"]["accepted"], nlohmann::json({1, 1}));
  EXPECT_EQ(json["accepted"][1]["reason"], "later");
  EXPECT_EQ(json["judged"], 0);
  EXPECT_EQ(json["too_short"], 2);
  ASSERT_EQ(json["notes"].size(), 1U);
  EXPECT_THAT(json["notes"][0].get<std::string>(), testing::HasSubstr("2026-09-17"));
}

TEST(HistoryPage, SaysHowToRepeatWhatDoesNotPass) {
  auto history = history_of(3);
  history.series[0].points[0].status = Status::failed;
  history.series[1].points[0].status = Status::skipped;
  EXPECT_EQ(history_json({&history}, 1)["series"]["repeat"],
            nlohmann::json({"again", nullptr, nullptr}));
}

TEST(HistoryPage, PacksSeriesInTheirOrder) {
  const auto history = history_of(130);
  const auto blocks = history_blocks(history);
  ASSERT_EQ(blocks.size(), 3U);
  const std::span all(history.series);
  EXPECT_EQ(blocks[1], packed_series(all.subspan(64, 64)));
  EXPECT_EQ(blocks[2], packed_series(all.subspan(128)));
}

TEST(HistoryPage, OfNothingIsEmpty) {
  const History none;
  EXPECT_EQ(history_json({&none}, 1)["week"]["now"], nullptr);
  EXPECT_TRUE(history_json({&none}, 1)["series"]["id"].empty());
  EXPECT_TRUE(history_blocks(none).empty());
}

/// The page refers to a status by its index in this list.
TEST(HistoryPage, NamesEachStatus) {
  const History none;
  const auto names = history_json({&none}, 1)["statuses"];
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(names[i], name_of(static_cast<Status>(i)));
  EXPECT_EQ(names.size(), 1 + static_cast<std::size_t>(Status::not_run));
}

}  // namespace
}  // namespace vparity::reports
