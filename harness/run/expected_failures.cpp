#include "harness/run/expected_failures.h"

#include <algorithm>

#include "harness/run/outputs/known_failures_file.h"

namespace vparity::harness {

std::vector<reports::KnownFailure> expected_failures(const RunOptions& options, const Plan& plan) {
  if (options.known_failures.empty()) return {};
  auto entries = read_known_failures(options.known_failures);
  for (auto& entry : entries) {
    entry.cases = std::ranges::count_if(
        plan.matrix_keys, [&](const std::string& key) { return matches(entry, key); });
  }
  return entries;
}

}  // namespace vparity::harness
