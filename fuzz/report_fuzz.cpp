// Reports: refused with a message; or read, written again without a change, and written in every
// other form.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "fuzz/input.h"
#include "harness/io/usage_error.h"
#include "harness/run/outputs/report_reader.h"
#include "reports/model/gate.h"
#include "reports/outputs/annotations.h"
#include "reports/outputs/junit.h"
#include "reports/outputs/markdown_summary.h"

using namespace vparity;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// Requires that no byte is a command to a terminal or to an XML parser.
void require_printable(std::string_view text) {
  for (const char c : text) require(static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t');
}

void write_all(const reports::Report& report) {
  for (const auto measure : {reports::Measure::parity, reports::Measure::throughput}) {
    const auto written = to_json(report, measure);
    require(to_json(reports::report_from_json(written), measure) == written);
  }
  require_printable(reports::junit_xml(report, "key"));
  const auto summary = reports::markdown_summary(report, "key");
  require_printable(summary);
  require(summary.size() <= reports::markdown_limit);
  require_printable(reports::github_annotations(report, "key"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::write_input("parity.json", data, size);
  try {
    write_all(harness::read_report("."));
  } catch (const harness::UsageError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_json(data, size, max_size, seed, fuzz::JsonText::one_value);
}
