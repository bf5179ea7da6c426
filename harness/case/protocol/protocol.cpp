#include "harness/case/protocol/protocol.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "harness/case/axes.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

template <class T>
T member(const json& object, const char* name) {
  try {
    return object.at(name).get<T>();
  } catch (const json::exception&) {
    throw UsageError(fmt::format("job file: {} is missing or of the wrong type", name));
  }
}

ordered_json to_json(const JobCase& job_case) {
  return {{"id", job_case.id}, {"key", job_case.key}, {"parameters", to_json(job_case.parameters)}};
}

JobCase job_case_from_json(const json& value) {
  return {member<std::string>(value, "id"), member<std::string>(value, "key"),
          parameters_from_json(member<json>(value, "parameters"))};
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), "writing an event");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

reports::Measure measure_named(const std::string& kind) {
  for (const auto measure : {reports::Measure::parity, reports::Measure::throughput})
    if (kind == name_of(measure)) return measure;
  throw UsageError(fmt::format("job file: kind is \"{}\", not \"parity\" or \"throughput\"", kind));
}

}  // namespace

ordered_json to_json(const MatrixJob& job) {
  ordered_json cases = ordered_json::array();
  for (const JobCase& job_case : job.cases) cases.push_back(to_json(job_case));
  return {{"kind", name_of(job.measure)},
          {"world", job.world},
          {"seed", job.seed},
          {"case_limit_s", job.case_limit_s},
          {"save_failing", job.save_failing},
          {"cases", std::move(cases)}};
}

MatrixJob matrix_job_from_json(const json& value) {
  MatrixJob job;
  job.measure = measure_named(member<std::string>(value, "kind"));
  job.world = member<int>(value, "world");
  job.seed = member<std::uint64_t>(value, "seed");
  job.case_limit_s = member<double>(value, "case_limit_s");
  job.save_failing = member<std::string>(value, "save_failing");
  for (const json& job_case : member<json::array_t>(value, "cases"))
    job.cases.push_back(job_case_from_json(job_case));
  return job;
}

std::optional<Event> parse_event(const std::string& line) {
  // The parser would take it for the end of the line.
  if (line.find('\0') != std::string::npos) return std::nullopt;
  json body = json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!body.is_object()) return std::nullopt;
  const auto kind = body.find("event");
  if (kind == body.end() || !kind->is_string()) return std::nullopt;
  std::string name = kind->get<std::string>();
  return Event{std::move(name), std::move(body)};
}

void EventWriter::write(const ordered_json& event) const {
  if (state_ != nullptr) state_->follow(event);
  if (fd_ < 0) return;
  // Messages may quote bytes that are not UTF-8 (a label's file name, a library's text).
  write_all(fd_, event.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n');
}

}  // namespace vparity::harness
