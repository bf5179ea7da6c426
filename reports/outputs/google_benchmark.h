// Throughput as JSON for the tools of Google Benchmark.
#pragma once

#include <nlohmann/json.hpp>

#include "reports/model/model.h"

namespace vparity::reports {

/// The JSON of `--benchmark_format=json` with one repetition per sample and their median
/// (https://github.com/google/benchmark/blob/main/docs/user_guide.md). A benchmark's name is the
/// case's key. Cases that failed or were not timed are left out.
nlohmann::ordered_json google_benchmark(const Report& report);

}  // namespace vparity::reports
