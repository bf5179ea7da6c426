#include "reports/outputs/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/model/gate.h"
#include "reports/text/failure_text.h"
#include "reports/text/text_safety.h"

namespace vparity::reports {
namespace {

struct Totals {
  std::int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, xml_attribute(value));
}

// Decimal, without an exponent: the schemas know no other numbers.
std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

std::string test_start(const Report& report, std::string_view name, double seconds) {
  return "  <testcase" + attribute("classname", "vparity." + report.run.matrix) +
         attribute("name", name) + attribute("time", seconds_text(seconds));
}

std::string outcome(std::string_view element, std::string_view attributes, std::string_view text) {
  return fmt::format("><{0}{1}>{2}</{0}></testcase>\n", element, attributes, xml_text(text));
}

std::string problem(std::string_view element, std::string_view type, std::string_view message,
                    std::string_view text) {
  return outcome(element, attribute("type", type) + attribute("message", message), text);
}

// Not every reader takes a type here.
std::string skipped(std::string_view message, std::string_view text) {
  return outcome("skipped", attribute("message", message), text);
}

std::string output_lines(const CaseResult& result) {
  std::string lines;
  for (const auto& output : result.outputs) {
    lines += fmt::format("{}: {} of {} elements wrong, error ratio {:.4g}, largest error {:.4g}\n",
                         output.name, output.mismatches, output.checked, output.error_ratio,
                         output.max_abs);
  }
  return lines;
}

std::string details(const CaseResult& result) {
  const auto reason =
      result.reason ? fmt::format("{}: {}\n", result.reason->code, result.reason->text) : "";
  return fmt::format("{}\nstatus {}, phase {}, attempts {}\n{}{}repeat: {}\n", result.key,
                     name_of(result.status), result.phase, result.attempts, reason,
                     output_lines(result), result.repeat);
}

std::string excuse_text(const Report& report, const CaseResult& result) {
  const auto entry =
      std::ranges::find(report.known_failures, result.known_failure, &KnownFailure::match);
  if (entry == report.known_failures.end()) return result.known_failure;
  return fmt::format("{} (owner {}, {}, until {})", entry->reason, entry->owner, entry->issue,
                     entry->expiry);
}

std::string outcome_of(const Report& report, const CaseResult& result, Totals& totals) {
  if (result.status == Status::passed) return "/>\n";
  if (!fails_gate(result)) {
    ++totals.skipped;
    if (result.status == Status::skipped) return skipped(what_failed(result), "");
    return skipped("known failure: " + excuse_text(report, result),
                   what_failed(result) + "\n" + details(result));
  }
  const bool wrong = result.status == Status::failed || result.status == Status::untrusted;
  ++(wrong ? totals.failures : totals.errors);
  const auto type = result.reason ? result.reason->code : std::string(name_of(result.status));
  return problem(wrong ? "failure" : "error", type, what_failed(result), details(result));
}

std::string test_of(const Report& report, const CaseResult& result, const std::string& default_key,
                    Totals& totals) {
  ++totals.tests;
  totals.seconds += result.wall_s;
  return test_start(report, brief_name(result, default_key), result.wall_s) +
         outcome_of(report, result, totals);
}

std::string test_of(const Report& report, const Reason& complaint, std::size_t number,
                    Totals& totals) {
  ++totals.tests;
  ++totals.failures;
  return test_start(report, fmt::format("gate {}: {}", number, complaint.code), 0) +
         problem("failure", complaint.code, complaint.text, "");
}

std::string property(std::string_view name, std::string_view value) {
  return "   <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string properties(const Report& report) {
  const auto text = [](const nlohmann::ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  const auto& provenance = report.provenance;
  return "  <properties>\n" + property("run", report.run.id) +
         property("seed", std::to_string(report.run.seed)) +
         property("version", text(provenance.at("version"))) +
         property("revision", text(provenance.at("git").at("revision"))) +
         property("simd", text(provenance.at("simd"))) +
         property("verdict", verdict_line(report.summary)) + "  </properties>\n";
}

std::string host_name(const Report& report) {
  const auto name = report.hosts.empty() ? "" : report.hosts[0].value("name", "");
  return name.empty() ? "localhost" : name;
}

std::string suite_start(const Report& report, const Totals& totals) {
  const auto utc = report.run.started.substr(0, report.run.started.find('Z'));
  return " <testsuite" + attribute("name", report.run.matrix) + attribute("package", "vparity") +
         attribute("id", "0") + attribute("timestamp", utc) +
         attribute("hostname", host_name(report)) +
         attribute("tests", std::to_string(totals.tests)) +
         attribute("failures", std::to_string(totals.failures)) +
         attribute("errors", std::to_string(totals.errors)) +
         attribute("skipped", std::to_string(totals.skipped)) +
         attribute("time", seconds_text(totals.seconds)) + ">\n";
}

}  // namespace

std::string junit_xml(const Report& report, const std::string& default_key) {
  Totals totals;
  std::string tests;
  for (const auto& result : report.cases) tests += test_of(report, result, default_key, totals);
  for (std::size_t number = 0; const auto& complaint : other_complaints(report))
    tests += test_of(report, complaint, ++number, totals);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" +
         suite_start(report, totals) + properties(report) + tests +
         "  <system-out></system-out>\n  <system-err></system-err>\n </testsuite>\n</testsuites>\n";
}

}  // namespace vparity::reports
