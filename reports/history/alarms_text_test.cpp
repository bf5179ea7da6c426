#include "reports/history/alarms_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

namespace vparity::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string day(std::size_t n) { return fmt::format("2026-{:02}-{:02}", 1 + n / 28, 1 + n % 28); }

/// Eight cases. The first `slower` of them become slower in the fortieth night, each by 10 % more
/// than the one before.
History history_of(std::size_t slower, const std::string& anchor = "") {
  History history;
  for (std::size_t i = 0; i < 60; ++i)
    history.nights.push_back({.run_id = std::to_string(i),
                              .matrix = "nightly",
                              .started = day(i) + "T02:00:00Z",
                              .revision = std::string(39, 'a') + (i < 40 ? "0" : "1"),
                              .fingerprint = "f",
                              .anchor = anchor,
                              .complete = true});
  for (std::size_t n = 0; n < 8; ++n) {
    Series series{.measure = Measure::throughput,
                  .id = fmt::format("{:012}", n),
                  .key = fmt::format(",dp=1,tp={},", n),
                  .variant = "fast",
                  .repeat = "vparity run m.json --case " + std::to_string(n)};
    const double factor = n < slower ? 1.1 + 0.1 * static_cast<double>(n) + 0.01 : 1;
    for (std::size_t i = 0; i < 60; ++i)
      series.points.push_back(
          {.status = Status::passed, .value = i < 40 ? 1e-3 : factor * 1e-3, .anchor = 1e-3});
    history.series.push_back(series);
  }
  return history;
}

std::string text_of(const History& history, const std::vector<AcceptedChange>& accepted = {},
                    bool all = false) {
  return history_check_text(judge(history, accepted), history, accepted, ",dp=1,tp=1,", all);
}

AcceptedChange accepted(const std::string& match, const std::string& from) {
  return {match, Measure::throughput, from, "reason", "abcdef0"};
}

TEST(HistoryCheckText, SaysWhatSinceWhenWhyAndHowToRepeatIt) {
  const auto text = text_of(history_of(1));
  EXPECT_THAT(text,
              HasSubstr("000000000000    +11.00%  2026-02-13  aaaaaaaaaaaa   1 ms -> 1.11 ms\n"
                        "              fast tp=0\n"
                        "              good 2026-02-12 aaaaaaaaaaaa; change point"));
  EXPECT_THAT(text, HasSubstr("; sudden rise\n"));
  EXPECT_THAT(text, HasSubstr("\n  repeat: vparity run m.json --case 0\n"));
  EXPECT_THAT(text, EndsWith("\n1 slower, 0 nearer to a bound; 0 back again, 0 better\n"));
}

TEST(HistoryCheckText, AlarmIsAlsoAMessageForACiSystem) {
  EXPECT_THAT(alarm_messages(judge(history_of(1), {}), history_of(1), ",dp=1,tp=1,"),
              ElementsAre("slower since 2026-02-13 (aaaaaaaaaaaa): 000000000000 tp=0: 1 ms -> 1.11 "
                          "ms (+11.00%)\nrepeat: vparity run m.json --case 0"));
  EXPECT_THAT(alarm_messages({}, {}, ""), IsEmpty());
}

TEST(HistoryCheckText, StepsOfOneCaseAreOneAlarm) {
  auto history = history_of(0);
  for (std::size_t i = 20; i < 60; ++i)
    history.series[0].points[i].value = i < 40 ? 1.2e-3 : 1.5e-3;
  const auto text = text_of(history);
  EXPECT_THAT(text,
              HasSubstr("000000000000    +50.00%  2026-01-21  aaaaaaaaaaaa   1 ms -> 1.5 ms"));
  EXPECT_THAT(text, HasSubstr("2 steps: +20.00% 2026-01-21, +25.00% 2026-02-13\n"));
  EXPECT_THAT(text, EndsWith("\n1 slower, 0 nearer to a bound; 0 back again, 0 better\n"));
}

TEST(HistoryCheckText, FitsTheTerminal) {
  auto history = history_of(8);
  for (auto& series : history.series) {
    series.key =
        ",dtype=bf16,grad_of=loss|logprob|entropy,labels=ignored_30,layout=balanced,mask=" +
        std::string(100, 'x') + ",tp=2,";
    series.repeat = "r";
  }
  history.nights.back().matrix = std::string(100, 'm');
  std::istringstream lines(
      text_of(history, {accepted("*," + std::string(90, 'y') + ",*", day(2))}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(HistoryCheckText, NamesTwentyAlarmsUnlessAskedForAll) {
  auto history = history_of(8);
  for (std::size_t i = 0; i < 16; ++i) history.series.push_back(history.series[i % 8]);
  EXPECT_THAT(text_of(history), HasSubstr("\nand 4 more: -v shows all\n"));
  EXPECT_THAT(text_of(history, {}, true), Not(HasSubstr("more: -v")));
}

TEST(HistoryCheckText, NamesWhatIsNoAlarmIfAskedForAll) {
  auto history = history_of(0);
  for (std::size_t i = 30; i < 60; ++i) history.series[3].points[i].value = 0.5e-3;
  EXPECT_THAT(text_of(history), Not(HasSubstr("000000000003")));
  EXPECT_THAT(text_of(history, {}, true), HasSubstr("000000000003    -50.00%  2026-02-03"));
}

TEST(HistoryCheckText, GivesUnits) {
  EXPECT_THAT(text_of(history_of(1, "old")), HasSubstr("1 -> 1.11 of anchor"));
  auto history = history_of(0);
  auto& series = history.series[0];
  series.measure = Measure::parity;
  for (std::size_t i = 0; i < 60; ++i) series.points[i].value = i < 40 ? 0.2 : 0.8;
  const auto text = text_of(history);
  EXPECT_THAT(text, HasSubstr("0.2 -> 0.8 of bound\n              parity tp=0\n"));
  EXPECT_THAT(text, HasSubstr("+300.00%"));
}

TEST(HistoryCheckText, OfNothingSaysSo) {
  EXPECT_EQ(history_check_text(judge({}, {}), {}, {}, ",tp=1,", true),
            "the history has no nights\n\n0 slower, 0 nearer to a bound; 0 back again, 0 better\n");
}

TEST(HistoryNotes, SayThatNightsOfAnotherMachineOrAnchorAreNotCompared) {
  auto history = history_of(0);
  EXPECT_THAT(notes_on(judge(history, {}), history, {}), IsEmpty());
  history.nights[3].fingerprint = "g";
  history.nights[4].anchor = "old";
  EXPECT_THAT(notes_on(judge(history, {}), history, {}),
              ElementsAre(HasSubstr("2 of 60 nights have another machine, build or anchor")));
}

TEST(HistoryNotes, NameEntriesWithoutACaseOrANight) {
  const auto history = history_of(0);
  const auto notes = [&](const AcceptedChange& one) {
    return notes_on(judge(history, {one}), history, {one});
  };
  EXPECT_THAT(notes(accepted("*,tp=2,*", day(0))), IsEmpty());
  EXPECT_THAT(notes(accepted("*,tp=9,*", day(0))),
              ElementsAre("accepted change *,tp=9,* (throughput) from 2026-01-01: matches no case "
                          "of this history"));
  EXPECT_THAT(notes(accepted("*,tp=2,*", day(60))),
              ElementsAre(HasSubstr("begins after the newest night")));
}

TEST(HistoryNotes, SuspectTheMachineWhereHalfOfTheTimesAreLongerSinceANight) {
  const auto notes = [](const History& history) {
    return notes_on(judge(history, {}), history, {});
  };
  EXPECT_THAT(notes(history_of(3)), IsEmpty());
  EXPECT_THAT(
      notes(history_of(4)),
      ElementsAre("4 of 8 times are longer since 2026-02-13T02:00:00Z: the machine may have "
                  "become slower; vparity nightly --anchor BUILD tells whether it has"));
  EXPECT_THAT(notes(history_of(8, "old")), IsEmpty()) << "an anchor has told";
}

}  // namespace
}  // namespace vparity::reports
