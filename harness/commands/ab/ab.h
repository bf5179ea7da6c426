// `vparity ab`: is one build faster than another? Fresh processes of both builds take turns (base,
// head, head, base, ...) until every verdict is clear or --max-pairs is reached.
#pragma once

#include <string>
#include <vector>

#include "harness/run/builds/build.h"
#include "reports/comparison/comparison.h"

namespace vparity::harness {

struct AbOptions {
  Build base, head;
  std::vector<std::string> run_arguments;  ///< matrices and options, for `vparity run`
  std::string out;                         ///< empty: vparity-out/ab-<UTC time>
  int pairs = 10;                          ///< of processes between two looks at the data
  int max_pairs = 30;
  double threshold = 0.02, confidence = 0.99;
  std::string json;  ///< another file for the comparison; empty: none
  bool all = false;  ///< print every case
};

/// Returns the exit code (docs/command-line.md). Throws UsageError before any work, or with the
/// message of the first process that refuses its command line; std::system_error if files cannot
/// be written; std::runtime_error if a process leaves no report.
int run_ab(const AbOptions& options);

}  // namespace vparity::harness
