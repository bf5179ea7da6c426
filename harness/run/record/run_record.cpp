#include "harness/run/record/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/io/json/schema_check.h"
#include "harness/io/usage_error.h"
#include "reports/model/gate.h"
#include "reports/schemas/schemas.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using reports::Status;

constexpr auto journal_schema = "vparity.journal/1";

// Other statuses are run again, because their cause may be gone.
bool survives_resuming(Status status) {
  constexpr std::array kept{Status::passed, Status::failed, Status::untrusted, Status::skipped};
  return std::ranges::find(kept, status) != kept.end();
}

Journal read_run_journal(const std::string& path) {
  auto journal = read_journal(path);
  const bool good =
      !journal.entries.empty() && journal.entries[0].value("schema", "") == journal_schema;
  if (!good) throw std::runtime_error(fmt::format("{}:1: not a {}", path, journal_schema));
  return journal;
}

// Names the first member that differs; short values are quoted.
void refuse_other_plan(const json& started, const json& asked, const std::string& path) {
  for (const auto& [name, value] : asked.items()) {
    const json before = started.value(name, json());
    if (before == value) continue;
    if (value.is_array()) {
      throw UsageError(fmt::format("--resume: {} is of a run with other cases", path));
    }
    throw UsageError(fmt::format("--resume: {} is of a run with {} {}, not {}", path, name,
                                 before.dump(), value.dump()));
  }
}

/// Throws UsageError unless `value` obeys one of the definitions of a report's schema.
void require_definition(const json& value, const std::string& name, const std::string& place,
                        std::string_view schema = reports::parity_schema()) {
  static std::map<std::string_view, json> parsed;
  auto [found, fresh] = parsed.try_emplace(schema);
  if (fresh) found->second = json::parse(schema);
  const json& report = found->second;
  require_valid(value, {{"$ref", "#/$defs/" + name}, {"$defs", report.at("$defs")}},
                "--resume: " + place);
}

/// Of an entry "case" or "result".
reports::Measure measure_of(const json& entry) {
  return entry.at("measure") == name_of(reports::Measure::parity) ? reports::Measure::parity
                                                                  : reports::Measure::throughput;
}

std::string_view schema_of(reports::Measure measure) {
  return measure == reports::Measure::parity ? reports::parity_schema()
                                             : reports::throughput_schema();
}

/// A journal that somebody changed must not become a report that nobody can read.
void refuse_damaged(const std::vector<json>& entries, const std::string& path) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& entry = entries[i];
    const auto place = fmt::format("{}:{}", path, i + 1);
    const auto event = entry.at("event").get<std::string>();
    if (event == "run") {
      json run = entry.at("run");
      run["finished"] = run.at("started");  // the run has not, at that line
      require_definition(run, "run", place);
    }
    if (event == "ranks") {
      json host = entry.at("host");
      host.erase("simd");
      require_definition(host, "host", place);
      if (entry.contains("launch_s")) require_definition(entry["launch_s"], "launch_s", place);
    }
    if (event == "result")
      require_definition(entry.at("case"), "case", place, schema_of(measure_of(entry)));
  }
}

/// Refuses a folder of another run before any work.
JournalWriter journal_of(const char* option, const std::string& path,
                         JournalWriter (*open)(const std::string&)) {
  try {
    return open(path);
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again)
      throw UsageError(fmt::format("{}: another run is going on in {}", option, path));
    if (error.code() == std::errc::file_exists)
      throw UsageError(fmt::format("{}: another run has just taken {}", option, path));
    throw;
  }
}

}  // namespace

RunRecord::RunRecord(JournalWriter journal, reports::Run run,
                     std::vector<reports::CaseResult> cases)
    : journal_(std::move(journal)),
      run_(std::move(run)),
      cases_(std::move(cases)),
      decided_(cases_.size()) {}

RunRecord RunRecord::start(const std::string& journal, reports::Run run, const ordered_json& plan,
                           std::vector<reports::CaseResult> cases) {
  RunRecord record(journal_of("--out", journal, JournalWriter::create), std::move(run),
                   std::move(cases));
  record.journal_.append({{"event", "run"},
                          {"schema", journal_schema},
                          {"run", to_json(record.run_)},
                          {"plan", plan}});
  return record;
}

RunRecord RunRecord::resume(const std::string& path, const std::string& now,
                            const ordered_json& plan, std::vector<reports::CaseResult> cases) {
  try {
    auto writer = journal_of("--resume", path, JournalWriter::reopen);
    const auto journal = read_run_journal(path);
    refuse_damaged(journal.entries, path);
    const auto& head = journal.entries[0];
    refuse_other_plan(head.at("plan"), plan, path);
    writer.truncate(journal.valid_bytes);
    RunRecord record(std::move(writer), reports::run_from_json(head.at("run")), std::move(cases));
    record.replay(journal.entries);
    record.journal_.append({{"event", "resumed"}, {"time", now}});
    return record;
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("--resume: {}", error.what()));
  }
}

void RunRecord::replay(const std::vector<json>& entries) {
  std::map<std::pair<reports::Measure, std::string>, std::size_t> indices;
  for (std::size_t i = 0; i < cases_.size(); ++i) indices[{cases_[i].measure(), cases_[i].id}] = i;
  const auto index_of = [&indices](reports::Measure measure, const std::string& id) {
    const auto found = indices.find({measure, id});
    if (found == indices.end())
      throw std::runtime_error("the journal has a case of no plan: " + id);
    return found->second;
  };
  for (const auto& entry : entries) {
    const auto event = entry.at("event").get<std::string>();
    if (event == "ranks") {
      ranks_.add(entry);
      run_.launch_s += entry.value("launch_s", 0.0);
    }
    if (event == "case") ++cases_[index_of(measure_of(entry), entry.at("id"))].attempts;
    if (event != "result") continue;
    auto result = reports::case_from_json(entry.at("case"), measure_of(entry));
    if (!survives_resuming(result.status)) continue;
    const auto index = index_of(result.measure(), result.id);
    cases_[index] = std::move(result);
    reports::excuse(cases_[index], known_failures_, today_);
    decided_[index] = true;
  }
}

std::int64_t RunRecord::decided_cases() const { return std::ranges::count(decided_, true); }

std::int64_t RunRecord::failed_cases() const {
  return std::ranges::count_if(cases_, [](const auto& result) {
    return fails_gate(result) && result.status != Status::not_run;
  });
}

void RunRecord::excuse(std::vector<reports::KnownFailure> known, std::string today) {
  known_failures_ = std::move(known);
  today_ = std::move(today);
  for (auto& result : cases_) reports::excuse(result, known_failures_, today_);
}

void RunRecord::ranks_are_up(const json& ready, double launch_s) {
  ranks_.add(ready);
  run_.launch_s += launch_s;
  ordered_json entry(ready);
  entry["event"] = "ranks";
  entry["launch_s"] = launch_s;
  journal_.append(entry);
}

void RunRecord::begin(std::size_t index) {
  ++cases_[index].attempts;
  journal_.append(
      {{"event", "case"}, {"measure", name_of(cases_[index].measure())}, {"id", cases_[index].id}});
}

void RunRecord::decide(std::size_t index, const reports::CaseOutcome& outcome) {
  reports::CaseResult& result = cases_[index];
  static_cast<reports::CaseOutcome&>(result) = outcome;
  decided_[index] = true;
  journal_.append(
      {{"event", "result"}, {"measure", name_of(result.measure())}, {"case", to_json(result)}});
  reports::excuse(result, known_failures_, today_);
}

void RunRecord::leave_out(std::size_t index, const reports::Reason& reason) {
  cases_[index].reason = reason;
}

reports::Report RunRecord::report(const BuildInfo& build, std::int64_t dropped_points,
                                  const std::string& finished) const {
  reports::Report report{.run = run_,
                         .provenance = provenance_of(build, ranks_),
                         .hosts = ranks_.hosts,
                         .fingerprint = {},
                         .summary = reports::summarise(cases_, dropped_points),
                         .cases = cases_,
                         .known_failures = known_failures_};
  judge_known_failures(report, today_);
  report.fingerprint = fingerprint_of(report.provenance, report.hosts);
  report.run.finished = finished;
  report.run.complete = report.summary.not_run == 0;
  return report;
}

}  // namespace vparity::harness
