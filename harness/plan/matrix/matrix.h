// A matrix file, read strictly: unknown keys, wrong types and impossible values are errors that
// name file and place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/case/parameters.h"

namespace vparity::harness {

struct DroppedPoints {
  std::string sweep;
  std::string reason;
  std::int64_t points = 0;
};

struct SweepCase {
  CaseParameters parameters;
  std::string sweep;
  bool parity = true;  ///< `measure` of the sweep
  bool throughput = false;
};

/// A matrix expanded: axes multiplied, exclusions and impossible points taken out and counted.
struct Matrix {
  std::string name;
  std::uint64_t seed = 0;
  std::vector<SweepCase> cases;
  std::vector<DroppedPoints> dropped;
  std::vector<DroppedPoints> excluded;
};

/// Throws UsageError. Vocabulary names are looked up in models.json beside the matrix file.
Matrix read_matrix(const std::string& path);

/// The JSON Schema of matrix files (`vparity schema matrix`).
std::string_view matrix_schema();

}  // namespace vparity::harness
