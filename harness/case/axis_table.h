// One entry per axis: everything that reads, writes, lists or names axes goes through this table.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/case/parameters.h"

namespace vparity::harness {

struct Axis {
  std::string name;
  std::function<void(CaseParameters&, const nlohmann::json&)> read;  ///< throws UsageError
  std::function<nlohmann::json(const CaseParameters&)> write;
  std::vector<nlohmann::json> values;  ///< of an enumerated axis, default first
  /// Came later than the first published keys, and is left out of them at its default.
  bool optional = false;
};

/// Sorted by name.
const std::vector<Axis>& axis_table();

}  // namespace vparity::harness
