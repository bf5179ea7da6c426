#include "reports/outputs/google_benchmark.h"

#include <string>

namespace vparity::reports {
namespace {

using nlohmann::ordered_json;

constexpr double nanoseconds = 1e9;

ordered_json entry(const CaseResult& result, const std::string& name, const char* type,
                   double seconds) {
  const Timing& timing = result.timing();
  return {{"name", name},
          {"run_name", result.key},
          {"run_type", type},
          {"repetitions", timing.samples_s.size()},
          {"threads", 1},
          {"iterations", 1},
          {"real_time", seconds * nanoseconds},
          {"cpu_time", seconds * nanoseconds},
          {"time_unit", "ns"},
          {"bytes_per_second", static_cast<double>(timing.bytes_per_rank) / seconds}};
}

void add(ordered_json& benchmarks, const CaseResult& result) {
  for (std::size_t i = 0; const double sample : result.timing().samples_s) {
    ordered_json repetition = entry(result, result.key, "iteration", sample);
    repetition["repetition_index"] = i++;
    benchmarks.push_back(std::move(repetition));
  }
  ordered_json median =
      entry(result, result.key + "_median", "aggregate", result.timing().median_s);
  median["aggregate_name"] = "median";
  median["aggregate_unit"] = "time";
  benchmarks.push_back(std::move(median));
}

ordered_json context_of(const Report& report) {
  ordered_json context{{"date", report.run.finished},
                       {"executable", report.run.argv.at(0)},
                       {"library_build_type", "release"},
                       {"run", report.run.id},
                       {"fingerprint", report.fingerprint}};
  if (!report.hosts.empty()) {
    context["host_name"] = report.hosts[0].value("name", "");
    context["num_cpus"] = report.hosts[0].value("cores", 0);
  }
  return context;
}

}  // namespace

ordered_json google_benchmark(const Report& report) {
  auto benchmarks = ordered_json::array();
  for (const auto& result : report.cases) {
    if (result.status == Status::passed && result.was_timed()) add(benchmarks, result);
  }
  return {{"context", context_of(report)}, {"benchmarks", std::move(benchmarks)}};
}

}  // namespace vparity::reports
