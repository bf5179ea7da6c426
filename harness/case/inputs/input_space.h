// What every input pattern may depend on.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/case/parameters.h"
#include "vparity/vocabulary_split.h"

namespace vparity::harness {

struct InputSpace {
  CaseParameters parameters;
  std::uint64_t seed = 0;
  std::vector<std::int64_t> dp_rows;
  VocabularySplit split;
};

}  // namespace vparity::harness
