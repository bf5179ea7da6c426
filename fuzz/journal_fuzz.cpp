// Journals: `--resume` continues the run, or refuses the journal with a message.
#include <nlohmann/json.hpp>

#include "fuzz/input.h"
#include "harness/io/usage_error.h"
#include "harness/run/record/journal.h"
#include "harness/run/record/run_record.h"

using namespace vparity;
using nlohmann::json;

namespace {

/// Written by make_seeds.py. All journals of the seed corpus have its plan.
constexpr auto seed_journal = "../seeds/journal/failed.jsonl";

const json& plan() {
  static const json plan = harness::read_journal(seed_journal).entries.at(0).at("plan");
  return plan;
}

std::vector<reports::CaseResult> planned_cases() {
  std::vector<reports::CaseResult> cases;
  for (const auto& id : plan().at("cases")) cases.emplace_back().id = id;
  return cases;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = fuzz::write_input("journal.jsonl", data, size);
  try {
    const auto record =
        harness::RunRecord::resume(path, "2026-01-01T00:00:00Z", plan(), planned_cases());
    const auto report = record.report({}, 0, "2026-01-01T00:00:00Z");
    for (const auto measure : {reports::Measure::parity, reports::Measure::throughput})
      to_json(report, measure);
  } catch (const harness::UsageError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_json(data, size, max_size, seed, fuzz::JsonText::lines);
}
