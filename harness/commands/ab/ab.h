// `vparity ab`: is one build faster than another? Fresh processes of both take turns (base, head,
// head, base, ...), until the verdicts are clear or there are enough of them.
#pragma once

#include <string>
#include <vector>

#include "harness/run/builds/build.h"
#include "reports/comparison/comparison.h"

namespace vparity::harness {

struct AbOptions {
  Build base, head;
  std::vector<std::string> run_words;  ///< matrices and options, for `vparity run`
  std::string out;                     ///< empty: vparity-out/ab-<UTC time>
  int pairs = 10;                      ///< until the data are looked at, and then again
  int max_pairs = 30;
  double threshold = 0.02, confidence = 0.99;
  std::string json;  ///< one more file for the comparison; empty: none
  bool all = false;  ///< tell of every case
};

/// Returns the exit code (docs/command-line.md). Throws UsageError before any work, or in the words
/// of the first process that refuses its command line; std::system_error if files cannot be
/// written, std::runtime_error if a process leaves no report.
int run_ab(const AbOptions& options);

}  // namespace vparity::harness
