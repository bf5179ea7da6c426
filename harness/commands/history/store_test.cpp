#include "harness/commands/history/store.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "harness/commands/history/night_file.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;
using reports::History;
using reports::Measure;
using reports::Point;
using reports::Series;
using reports::Status;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double none = Point::missing;

Series series_of(const std::string& id, Point point, Measure measure = Measure::throughput) {
  return {.measure = measure,
          .id = id,
          .key = ",tp=2,vocab=8,",
          .variant = measure == Measure::throughput ? "fast" : "",
          .repeat = "vparity run m.json --case " + id,
          .points = {point}};
}

const std::string first = "000000000001", second = "000000000002";

/// A run of September, by its day.
History night_of(int day, std::vector<Series> series) {
  const auto date = "2026-09-" + std::to_string(day);
  return {.nights = {{.run_id = "run of " + date,
                      .matrix = "nightly",
                      .started = date + "T02:00:00Z",
                      .revision = std::string(40, 'a'),
                      .fingerprint = "0123456789abcdef",
                      .complete = true,
                      .exit_code = 0}},
          .series = std::move(series)};
}

class Store : public ::testing::Test {
 protected:
  Store() { fs::create_directories(folder_); }
  ~Store() override { fs::remove_all(folder_); }

  std::string history(const char* name = "history") const { return folder_ / name; }

  void add(int day, std::vector<Series> series) const {
    EXPECT_TRUE(add_night(history(), night_of(day, std::move(series))));
  }

  /// In a process of its own, which an exception must not leave.
  bool adds(int day) const noexcept {
    try {
      return add_night(history(), night_of(day, {series_of(first, {Status::passed, 1})}));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return false;
    }
  }

  std::vector<fs::path> files(const char* inside) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(fs::path(history()) / inside))
      found.push_back(entry.path());
    return found;
  }

  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  static std::string content(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::string refusal() const {
    try {
      read_history(history());
    } catch (const UsageError& error) {
      return error.what();
    }
    return "read";
  }

 private:
  fs::path folder_ = fs::path(::testing::TempDir()) / ("store" + std::to_string(::getpid()));
};

std::vector<std::string> days_of(const History& history) {
  std::vector<std::string> days;
  for (const auto& night : history.nights) days.push_back(night.started.substr(8, 2));
  return days;
}

TEST_F(Store, GivesBackWhatWasAdded) {
  auto night = night_of(
      16, {series_of(first, {Status::passed, 0.1, 0.25}),
           series_of(second, {Status::failed, none, none}),
           series_of(first, {Status::failed, std::numeric_limits<double>::infinity(), none},
                     Measure::parity)});
  night.nights[0].anchor = "v1-dirty";
  night.nights[0].dirty = true;
  ASSERT_TRUE(add_night(history(), night));
  const auto read = read_history(history());
  const auto& back = read.nights.at(0);
  EXPECT_EQ(back.run_id, "run of 2026-09-16");
  EXPECT_EQ(back.matrix, "nightly");
  EXPECT_EQ(back.revision, std::string(40, 'a'));
  EXPECT_EQ(back.anchor, "v1-dirty");
  EXPECT_TRUE(back.dirty);
  EXPECT_TRUE(back.complete);
  EXPECT_EQ(back.exit_code, 0);
  ASSERT_EQ(read.series.size(), 3U);
  EXPECT_EQ(read.series[0].points[0].value, 0.1);
  EXPECT_EQ(read.series[0].points[0].anchor, 0.25);
  EXPECT_EQ(read.series[0].variant, "fast");
  EXPECT_EQ(read.series[0].repeat, "vparity run m.json --case " + first);
  EXPECT_EQ(read.series[1].points[0].status, Status::failed);
  EXPECT_TRUE(std::isnan(read.series[1].points[0].value));
  EXPECT_EQ(read.series[2].measure, Measure::parity);
  EXPECT_TRUE(std::isinf(read.series[2].points[0].value));
}

TEST_F(Store, NightsAreInTheOrderOfTime) {
  for (const int day : {18, 16, 17}) add(day, {series_of(first, {Status::passed, 1.0 * day})});
  const auto read = read_history(history());
  EXPECT_THAT(days_of(read), ElementsAre("16", "17", "18"));
  EXPECT_EQ(read.series.at(0).points.at(1).value, 17);
}

TEST_F(Store, NightWithoutACaseHasNoPointOfIt) {
  add(16, {series_of(first, {Status::passed, 1})});
  add(17, {series_of(second, {Status::passed, 2})});
  add(18, {series_of(second, {Status::passed, 3}), series_of(first, {Status::passed, 4})});
  const auto read = read_history(history());
  ASSERT_EQ(read.series.size(), 2U);
  EXPECT_EQ(read.series[0].id, first);
  EXPECT_FALSE(read.series[0].points[1].status);
  EXPECT_TRUE(std::isnan(read.series[0].points[1].value));
  EXPECT_FALSE(read.series[1].points[0].status);
  EXPECT_EQ(read.series[0].points[2].value, 4);
}

TEST_F(Store, NightsOfTheSameCasesShareTheirList) {
  for (const int day : {16, 17, 18}) add(day, {series_of(first, {Status::passed, 1.0 * day})});
  EXPECT_EQ(files("nights").size(), 3U);
  EXPECT_EQ(files("case-lists").size(), 1U);
}

TEST_F(Store, AddingARunAgainChangesNothing) {
  add(16, {series_of(first, {Status::passed, 1})});
  EXPECT_FALSE(add_night(history(), night_of(16, {series_of(first, {Status::passed, 1})})));
  EXPECT_EQ(read_history(history()).nights.size(), 1U);
}

TEST_F(Store, RunThatSaysSomethingElseThanBeforeIsRefused) {
  add(16, {series_of(first, {Status::passed, 1})});
  EXPECT_THROW(add_night(history(), night_of(16, {series_of(first, {Status::passed, 2})})),
               UsageError);
  EXPECT_EQ(read_history(history()).series.at(0).points.at(0).value, 1);
}

TEST_F(Store, WritersAtOnceAllGetIn) {
  constexpr int writers = 8;
  for (int day = 10; day < 10 + writers; ++day)
    if (::fork() == 0) ::_exit(adds(day) ? 0 : 1);
  for (int i = 0; i < writers; ++i) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read_history(history()).nights.size(), std::size_t{writers});
}

TEST_F(Store, WhatAKilledWriterLeftIsNoNight) {
  add(16, {series_of(first, {Status::passed, 1})});
  // Killed before its night, in the middle of it, and in the middle of its list.
  const auto lost = night_of(17, {series_of(second, {Status::passed, 1})});
  const auto night = night_file(lost), list = case_list_file(lost.series);
  write(fs::path(history()) / "case-lists" / (list.name + ".tmp1"), list.text.substr(0, 20));
  write(fs::path(history()) / "case-lists" / list.name, list.text);
  write(fs::path(history()) / "nights" / (night.name + ".tmp2"), night.text.substr(0, 20));
  const auto read = read_history(history());
  EXPECT_THAT(days_of(read), ElementsAre("16"));
  EXPECT_EQ(read.series.size(), 1U);
  EXPECT_TRUE(add_night(history(), lost));
}

TEST_F(Store, FolderOfSomethingElseIsLeftAlone) {
  write(fs::path(history()) / "thesis.tex", "");
  EXPECT_THROW(add_night(history(), night_of(16, {})), UsageError);
  EXPECT_THAT(refusal(), HasSubstr("not a history"));
  EXPECT_EQ(files(".").size(), 1U);
}

TEST_F(Store, NothingIsNoHistory) { EXPECT_THAT(refusal(), HasSubstr("not a history")); }

TEST_F(Store, DamagedNightIsNamed) {
  add(16, {series_of(first, {Status::passed, 1})});
  const auto night = files("nights").at(0);
  auto text = content(night);
  write(night, text.substr(0, text.size() / 2));
  EXPECT_THAT(refusal(), HasSubstr(night.string()));
  write(night, text.replace(text.find("\"passed\""), 8, "\"better\""));
  EXPECT_THAT(refusal(), HasSubstr(night.string() + ": /status/0"));
}

TEST_F(Store, NightThatContradictsItselfIsNamed) {
  add(16, {series_of(first, {Status::passed, 1})});
  const auto night = files("nights").at(0);
  const auto text = content(night);
  const auto with = [&](const std::string& from, const std::string& to) {
    auto changed = text;
    write(night, changed.replace(text.find(from), from.size(), to));
    return refusal();
  };
  EXPECT_THAT(with("2026-09-16T", "2026-02-30T"), HasSubstr("/started: 2026-02-30 is no day"));
  EXPECT_THAT(with("T02:00", "T24:00"), HasSubstr("/started"));
  EXPECT_THAT(with("\"anchor\":null", "\"anchor\":\"v1\""), HasSubstr("go together"));
  EXPECT_THAT(with("}\n", ",\"anchor_values\":[1]}\n"), HasSubstr("go together"));
}

TEST_F(Store, ListThatWasChangedIsNamed) {
  add(16, {series_of(first, {Status::passed, 1})});
  const auto list = files("case-lists").at(0);
  auto text = content(list);
  write(list, text.replace(text.find("vocab=8"), 7, "vocab=9"));
  EXPECT_THAT(refusal(), HasSubstr(list.string()));
  fs::remove(list);
  EXPECT_THAT(refusal(), HasSubstr(list.string()));
}

TEST_F(Store, NightWithMoreValuesThanCasesIsNamed) {
  add(16, {series_of(first, {Status::passed, 1})});
  const auto night = files("nights").at(0);
  const auto text = content(night);
  auto longer = text;
  write(night, longer.replace(text.find("\"values\":["), 10, "\"values\":[1,"));
  EXPECT_THAT(refusal(), HasSubstr("2 values for 1 cases"));
}

TEST_F(Store, CopyOfANightIsNoOtherNight) {
  add(16, {series_of(first, {Status::passed, 1})});
  const auto night = files("nights").at(0);
  fs::copy_file(night, night.parent_path() / "copy.json");
  EXPECT_THAT(refusal(), HasSubstr("two files of one run"));
}

TEST_F(Store, MergeTakesTheNightsThatAreMissing) {
  const auto one = [](int day) { return night_of(day, {series_of(first, {Status::passed, 1})}); };
  for (const int day : {16, 17}) add_night(history("a"), one(day));
  for (const int day : {17, 18}) add_night(history("b"), one(day));
  EXPECT_EQ(merge_histories(history(), {history("a"), history("b")}), 3U);
  EXPECT_THAT(days_of(read_history(history())), ElementsAre("16", "17", "18"));
  EXPECT_EQ(merge_histories(history(), {history("a")}), 0U);
  EXPECT_THAT(days_of(read_history(history("a"))), ElementsAre("16", "17"));
}

TEST_F(Store, MergeReadsAllBeforeItWrites) {
  add_night(history("a"), night_of(16, {series_of(first, {Status::passed, 1})}));
  EXPECT_THROW(merge_histories(history(), {history("a"), history("nothing")}), UsageError);
  EXPECT_FALSE(fs::exists(history()));
}

TEST_F(Store, HistoryWithoutNightsIsEmpty) {
  add_night(history("a"), night_of(16, {}));
  fs::remove_all(fs::path(history("a")) / "nights");
  fs::create_directory(fs::path(history("a")) / "nights");
  EXPECT_THAT(read_history(history("a")).nights, IsEmpty());
}

}  // namespace
}  // namespace vparity::harness
