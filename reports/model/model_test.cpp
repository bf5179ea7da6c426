#include "reports/model/model.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "reports/model/time_shares.h"
#include "reports/schemas/schemas.h"

namespace vparity::reports {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

nlohmann::json parsed(const nlohmann::ordered_json& value) {
  return nlohmann::json::parse(value.dump());
}

CaseResult failing_case() {
  CaseResult result;
  result.id = "0123456789ab";
  result.key = ",dp=1,tp=2,";
  result.params = {{"dp", 1}, {"tp", 2}};
  result.status = Status::failed;
  result.reason = Reason{"mismatch", "logprob: 1 of 4"};
  result.phase = "done";
  result.attempts = 2;
  result.wall_s = 0.1;
  result.repeat = "vparity run m.json --case 0123456789ab";
  result.outputs = {{.name = "logprob",
                     .elements = 4,
                     .checked = 4,
                     .mismatches = 1,
                     .nonfinite = 1,
                     .max_abs = 1.0 / 3,
                     .max_rel = 5e-324,
                     .max_ulp = 7,
                     .rms = 0.25,
                     .error_ratio = infinity,
                     .nontrivial = 3,
                     .naive = NaiveError{0.75, 12.5},
                     .bound_k = 23,
                     .bound_c = 2,
                     .worst = WorstElement{3, 0, 1, -infinity, std::nan("")}}};
  result.measured = ParityFindings{.occurrence = {{"ignored_labels", 3}},
                                   .invariants = {{"batch", false, 2, 1}},
                                   .rank_agreement = false};
  return result;
}

CaseResult with_status(Status status) {
  CaseResult result;
  result.status = status;
  return result;
}

TEST(Model, CaseSurvivesWritingAndReading) {
  const auto written = parsed(to_json(failing_case()));
  EXPECT_EQ(parsed(to_json(case_from_json(written, Measure::parity))), written);
}

TEST(Model, OutcomeSaysWhatItMeasures) {
  CaseResult timed;
  timed.measured = Timing{};
  timed.timing().variant = "fast";
  timed.timing().samples_s = {0.5};
  for (const CaseOutcome& sent : std::initializer_list<CaseOutcome>{failing_case(), timed}) {
    const auto written = parsed(to_json(sent));
    EXPECT_EQ(written.at("measure"), name_of(sent.measure()));
    EXPECT_FALSE(written.contains("key"));
    const auto received = outcome_from_json(written);
    EXPECT_EQ(received.measure(), sent.measure());
    EXPECT_EQ(parsed(to_json(received)), written);
  }
}

TEST(Model, OutcomeOfAnUnknownMeasureIsRefused) {
  auto written = parsed(to_json(static_cast<const CaseOutcome&>(failing_case())));
  written["measure"] = "speed";
  EXPECT_THROW(outcome_from_json(written), std::invalid_argument);
}

TEST(Model, WorstElementKeepsNonFiniteValues) {
  const auto read = case_from_json(parsed(to_json(failing_case())), Measure::parity);
  ASSERT_TRUE(read.outputs.at(0).worst.has_value());
  EXPECT_EQ(read.outputs[0].worst->expected, -infinity);
  EXPECT_TRUE(std::isnan(read.outputs[0].worst->actual));
  EXPECT_EQ(read.outputs[0].error_ratio, infinity);
}

TEST(Model, DoublesAreWrittenInShortestRoundTripForm) {
  EXPECT_EQ(number(0.1).dump(), "0.1");
  EXPECT_EQ(number_from(nlohmann::json::parse(number(5e-324).dump())), 5e-324);
  EXPECT_EQ(number_from(nlohmann::json::parse(number(1.0 / 3).dump())), 1.0 / 3);
}

TEST(Model, NonFiniteNumbersAreStrings) {
  EXPECT_EQ(number(std::nan("")).dump(), R"("NaN")");
  EXPECT_EQ(number(infinity).dump(), R"("Infinity")");
  EXPECT_EQ(number(-infinity).dump(), R"("-Infinity")");
}

TEST(Model, OtherStringsAreNoNumbers) {
  EXPECT_THROW(number_from(nlohmann::json("inf")), std::invalid_argument);
}

TEST(Model, UnknownStatusIsRefused) {
  auto json = parsed(to_json(failing_case()));
  json["status"] = "fine";
  EXPECT_THROW(case_from_json(json, Measure::parity), std::invalid_argument);
}

TEST(Model, EveryStatusHasItsName) {
  for (const auto* name :
       {"passed", "failed", "untrusted", "error", "timeout", "crashed", "skipped", "not_run"}) {
    const auto status = status_named(name);
    ASSERT_TRUE(status.has_value()) << name;
    EXPECT_EQ(name_of(*status), name);
  }
}

TEST(Model, ReportSurvivesWritingAndReading) {
  Report report;
  report.run = {.id = "r",
                .matrix = "m",
                .started = "2026-01-01T00:00:00Z",
                .finished = "2026-01-01T00:00:01Z",
                .argv = {"vparity", "run"},
                .seed = std::numeric_limits<std::uint64_t>::max(),
                .shard_index = 2,
                .shard_count = 3,
                .shard_positions = {4},
                .shard_total = 7,
                .shard_plan = "0123456789abcdef",
                .complete = true,
                .exit_code = 1};
  report.provenance = {{"version", "0.1.0"}};
  report.hosts = nlohmann::ordered_json::array();
  report.cases = {failing_case()};
  report.cases[0].known_failure = "*";
  report.known_failures = {{.match = "*",
                            .reason = "r",
                            .owner = "o",
                            .issue = "i",
                            .expiry = "2026-12-31",
                            .cases = 3,
                            .state = KnownFailureState::known}};
  report.summary = summarise(report.cases, 5);
  const auto written = parsed(to_json(report, Measure::parity));
  EXPECT_EQ(parsed(to_json(report_from_json(written), Measure::parity)), written);
}

TEST(Model, ReportWithoutWhatCameLaterIsRead) {
  auto json = parsed(to_json(Report{}, Measure::parity));
  json["summary"].erase("known_failures");
  const auto read = report_from_json(json);
  EXPECT_FALSE(read.run.exit_code.has_value());
  EXPECT_EQ(read.run.shard_total, 0);
  EXPECT_TRUE(read.known_failures.empty());
  EXPECT_EQ(read.summary.known_failures, 0);
}

TEST(Model, OutputWithoutWhatCameLaterStaysSo) {
  auto written = parsed(to_json(failing_case()));
  for (const char* later : {"nontrivial", "naive"}) written["outputs"][0].erase(later);
  EXPECT_EQ(parsed(to_json(case_from_json(written, Measure::parity))), written);
}

TEST(Model, ReportOfAnotherSchemaIsRefused) {
  auto json = parsed(to_json(Report{}, Measure::parity));
  json["schema"] = "vparity.parity/2";
  EXPECT_THROW(report_from_json(json), std::invalid_argument);
}

CaseResult timed_case(std::string id, int tp, double read_gbps) {
  CaseResult result;
  result.measured = Timing{};
  result.id = std::move(id);
  result.params = {{"tp", tp}, {"dp", 1}, {"op", "forward"}};
  result.status = Status::passed;
  result.timing().variant = "fast";
  result.timing().samples_s = {0.25, 0.125};
  result.timing().median_s = 0.1875;
  result.timing().read_gbps = read_gbps;
  result.timing().copy_gbps = 2 * read_gbps;
  result.timing().speedup = {{"gather", 3.5}};
  return result;
}

TEST(Throughput, CaseSurvivesWritingAndReadingMeasuredOrNot) {
  auto timed = timed_case("a", 1, 8);
  const auto written = parsed(to_json(timed));
  EXPECT_EQ(written.at("op"), "forward");
  EXPECT_EQ(written.at("iterations"), 2);
  const auto read = case_from_json(written, Measure::throughput);
  EXPECT_EQ(parsed(to_json(read)), written);
  EXPECT_EQ(read.measure(), Measure::throughput);

  timed.timing() = {};
  const auto unmeasured = parsed(to_json(timed));
  EXPECT_EQ(parsed(to_json(case_from_json(unmeasured, Measure::throughput))), unmeasured);
}

TEST(Throughput, MachineOfThreeCasesIsTheMiddleOne) {
  const auto machine =
      machine_of({timed_case("a", 2, 30), timed_case("b", 2, 8), timed_case("c", 2, 10)});
  EXPECT_EQ(machine.at("read_gbps"), 20);  // 2 x 10
}

TEST(Throughput, SchemaAndWriterHaveTheSameFields) {
  const auto schema = nlohmann::json::parse(throughput_schema()).at("$defs").at("case");
  const auto& properties = schema.at("properties");
  std::set<std::string> fields, required{"samples_s"};
  for (const auto name : timing_fields()) fields.emplace(name);
  for (const auto& alternative : schema.at("anyOf"))
    for (const std::string name : alternative.value("required", nlohmann::json::array()))
      required.insert(name);
  EXPECT_EQ(required, fields);
  for (const auto& name : fields) EXPECT_TRUE(properties.contains(name)) << name;
  // Beside these a case has what every case has, and its call.
  const auto parity = nlohmann::json::parse(parity_schema()).at("$defs").at("case");
  for (const auto& [name, type] : properties.items())
    EXPECT_TRUE(fields.contains(name) || name == "op" || parity.at("properties").contains(name))
        << name;
}

TEST(Throughput, EachMeasureHasAFileAndASummaryOfItsOwn) {
  Report report;
  report.cases = {failing_case(), timed_case("a", 1, 8)};
  report.summary = summarise(report.cases, 0);
  const auto parity = parsed(to_json(report, Measure::parity));
  const auto throughput = parsed(to_json(report, Measure::throughput));
  EXPECT_EQ(parity.at("schema"), "vparity.parity/1");
  EXPECT_EQ(throughput.at("schema"), "vparity.throughput/1");
  EXPECT_EQ(parity.at("summary").at("failed"), 1);
  EXPECT_EQ(throughput.at("summary").at("failed"), 0);
  EXPECT_EQ(throughput.at("summary").at("passed"), 1);
  EXPECT_EQ(throughput.at("cases").size(), 1U);
}

TEST(Throughput, MachineIsThatOfTheMostRanksWithACoreEach) {
  auto oversubscribed = timed_case("d", 4, 100);
  oversubscribed.timing().oversubscribed = true;
  auto resident = timed_case("e", 2, 1000), small = timed_case("f", 2, 1);
  resident.timing().cache_resident = true;
  small.timing().bytes_per_rank = -1;  // less than the others'
  const std::vector<CaseResult> cases{
      resident,      small, timed_case("a", 1, 20), timed_case("b", 2, 8), timed_case("c", 2, 10),
      oversubscribed};
  EXPECT_EQ(machine_of(cases).at("ranks"), 2);
  EXPECT_EQ(machine_of(cases).at("read_gbps"), 18);  // 2 x median of 8 and 10
  EXPECT_EQ(machine_of(cases).at("copy_gbps"), 36);
  EXPECT_TRUE(machine_of({oversubscribed}).is_null());
}

TEST(TimeShares, AddWhatCasesDidAndWaitedFor) {
  Report report;
  EXPECT_EQ(time_shares(report), "");
  CaseResult first = failing_case(), second = failing_case();
  first.wall_s = 4;
  first.parity().phases_s = {{"forward", 1}, {"backward", 0.5}, {"reference", 2}};
  second.wall_s = 4;
  second.parity().phases_s = {{"forward_backward", 1.5}, {"reference", 2.5}};
  report.cases = {first, second};
  report.run.launch_s = 2;
  EXPECT_EQ(time_shares(report),
            "time: reference 45 %, kernels 30 %, launch 20 %, other 5 % of 10 s");
}

TEST(Summary, CountsEveryCaseOnce) {
  const auto summary = summarise(
      {with_status(Status::passed), with_status(Status::failed), with_status(Status::untrusted),
       with_status(Status::error), with_status(Status::timeout), with_status(Status::crashed),
       with_status(Status::skipped), with_status(Status::not_run)},
      2);
  EXPECT_EQ(summary.planned, 8);
  EXPECT_EQ(summary.dropped, 2);
  EXPECT_EQ(summary.passed, 1);
  EXPECT_EQ(summary.skipped, 1);
}

TEST(Summary, WorstIsTheLargestErrorRatioOfAnyOutput) {
  auto first = failing_case();
  first.outputs[0].error_ratio = 0.25;
  auto second = failing_case();
  second.id = "second";
  second.outputs[0].error_ratio = 0.5;
  const auto summary = summarise({first, second}, 0);
  ASSERT_TRUE(summary.worst.has_value());
  EXPECT_EQ(summary.worst->case_id, "second");
  EXPECT_EQ(summary.worst->error_ratio, 0.5);
}

}  // namespace
}  // namespace vparity::reports
