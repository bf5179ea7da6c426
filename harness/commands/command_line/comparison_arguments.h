// The options that say how runs are compared: of `vparity compare` and `vparity ab`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "reports/comparison/comparison.h"

namespace vparity::harness {

struct ComparisonArguments {
  reports::ComparisonOptions options;
  std::string json;  ///< file; empty: none
};

/// `arguments` outlives the parsing.
void add_comparison_arguments(CLI::App& command, ComparisonArguments& arguments);

}  // namespace vparity::harness
