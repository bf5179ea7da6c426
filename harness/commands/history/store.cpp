#include "harness/commands/history/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "harness/commands/history/night_file.h"
#include "harness/io/atomic_file.h"
#include "harness/io/usage_error.h"
#include "harness/run/outputs/output_folder.h"
#include "reports/comparison/obstacles.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;
using reports::History;
using reports::Measure;

constexpr const char *nights_folder = "nights", *lists_folder = "case-lists";

void require_history(const fs::path& history) {
  std::error_code error;
  if (!fs::is_directory(history / nights_folder, error))
    throw UsageError(
        fmt::format("{}: not a history: it has no folder {}", history.string(), nights_folder));
}

/// Refuses a folder that holds something else.
void make_history(const fs::path& history) {
  std::error_code error;
  if (fs::exists(history, error) && !fs::is_empty(history, error)) require_history(history);
  // First the folder that makes it a history: another writer may look at any moment.
  for (const char* folder : {nights_folder, lists_folder})
    make_output_folder("history", history / folder);
}

std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// False if the file exists already.
bool add_file(const fs::path& folder, const NamedText& file) {
  const auto path = folder / file.name;
  if (!fs::exists(path)) {
    reports::write_file_atomically(path, file.text);
    return true;
  }
  if (content_of(path) != file.text)
    throw UsageError(fmt::format("{}: exists already with other content", path.string()));
  return false;
}

/// Files of a killed writer have another ending.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

struct Found {
  fs::path path;
  NightFile file;
};

/// In the order in which they started. Throws UsageError if two files are of one run.
std::vector<Found> nights_in(const fs::path& folder) {
  std::vector<Found> nights;
  for (const auto& path : files_in(folder)) nights.push_back({path, read_night(path)});
  const auto run = [](const Found& one) {
    return std::tie(one.file.night.started, one.file.night.run_id);
  };
  std::ranges::sort(nights, {}, run);
  const auto twice = std::ranges::adjacent_find(nights, {}, run);
  if (twice != nights.end())
    throw UsageError(fmt::format("{} and {}: two files of one run", twice->path.string(),
                                 std::next(twice)->path.string()));
  return nights;
}

/// Puts the nights together: a series for every case of every list.
class Assembly {
 public:
  Assembly(fs::path lists, std::size_t nights) : lists_(std::move(lists)), nights_(nights) {}

  void add(const Found& found) {
    const auto& [path, file] = found;
    const auto& places = places_of(file.case_list);
    if (places.size() != file.points.size())
      throw UsageError(fmt::format("{}: {} cases, but its list has {} ({})", path.string(),
                                   file.points.size(), places.size(), file.case_list));
    for (std::size_t i = 0; i < places.size(); ++i)
      history.series[places[i]].points[history.nights.size()] = file.points[i];
    history.nights.push_back(file.night);
  }

  History history;

 private:
  /// Where the cases of a list stand among the series.
  const std::vector<std::size_t>& places_of(const std::string& list) {
    const auto [entry, is_new] = list_places_.try_emplace(list);
    if (is_new)
      for (auto& series : read_case_list(lists_ / list))
        entry->second.push_back(place_of(std::move(series)));
    return entry->second;
  }

  /// If lists describe a case differently, the newest one counts.
  std::size_t place_of(reports::Series series) {
    const auto [entry, is_new] =
        series_places_.try_emplace({series.measure, series.id}, history.series.size());
    if (is_new) history.series.push_back({.points = std::vector<reports::Point>(nights_)});
    auto& known = history.series[entry->second];
    series.points = std::move(known.points);
    known = std::move(series);
    return entry->second;
  }

  fs::path lists_;
  std::size_t nights_;
  std::map<std::string, std::vector<std::size_t>> list_places_;
  std::map<std::pair<Measure, std::string>, std::size_t> series_places_;
};

}  // namespace

void require_anchor_of(const reports::Report& run, const reports::Report& anchor,
                       const std::string& path) {
  const auto refuse = [&path](const std::string& why) {
    throw UsageError(fmt::format("--anchor: {}: {}", path, why));
  };
  if (anchor.run.id == run.run.id) refuse("is the run itself");
  if (!anchor.has(reports::Measure::throughput)) refuse("has no throughput");
  // Only the builds may differ.
  if (const auto obstacle = reports::other_machine(run, anchor, true))
    refuse("ran on another machine: " + obstacle->text);
}

bool add_night(const std::string& history, const History& night) {
  make_history(history);
  // First the list: a night without its list could not be read.
  add_file(fs::path(history) / lists_folder, case_list_file(night.series));
  return add_file(fs::path(history) / nights_folder, night_file(night));
}

History read_history(const std::string& history) {
  require_history(history);
  const auto nights = nights_in(fs::path(history) / nights_folder);
  Assembly assembly(fs::path(history) / lists_folder, nights.size());
  for (const auto& night : nights) assembly.add(night);
  return std::move(assembly.history);
}

std::size_t merge_histories(const std::string& into, const std::vector<std::string>& others) {
  for (const auto& other : others) read_history(other);
  make_history(into);
  std::size_t added = 0;
  for (const char* folder : {lists_folder, nights_folder})
    for (const auto& other : others)
      for (const auto& path : files_in(fs::path(other) / folder)) {
        const bool is_new = add_file(fs::path(into) / folder, {path.filename(), content_of(path)});
        if (is_new && folder == nights_folder) ++added;
      }
  return added;
}

}  // namespace vparity::harness
