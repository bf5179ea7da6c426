#include "harness/commands/history/anchor.h"

#include <fmt/format.h>

#include "harness/io/usage_error.h"
#include "reports/comparison/obstacles.h"

namespace vparity::harness {

void require_anchor_of(const reports::Report& run, const reports::Report& anchor,
                       const std::string& path) {
  const auto refuse = [&path](const std::string& why) {
    throw UsageError(fmt::format("--anchor: {}: {}", path, why));
  };
  if (anchor.run.id == run.run.id) refuse("is the run itself");
  if (!anchor.has(reports::Measure::throughput)) refuse("has no throughput");
  // Times beside each other are of one machine; the builds are what differs.
  if (const auto obstacle = reports::other_machine(run, anchor, true))
    refuse("ran on another machine: " + obstacle->text);
}

}  // namespace vparity::harness
