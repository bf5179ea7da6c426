// The providers of a selftest that must be caught, and the cases of the CI matrix that must catch
// them. The check knows nothing of this list: it sees a provider with a known bug as any other.
#pragma once

#include <string>
#include <vector>

#include "harness/case/parameters.h"

namespace vparity::harness {

struct CatalogueEntry {
  std::string provider;            ///< a provider that is wrong
  std::string cases;               ///< glob on the keys of CI cases, as of --filter
  Backend backend = Backend::cpu;  ///< where it runs
};
using Catalogue = std::vector<CatalogueEntry>;

/// All known bugs, with the cases that stand beside each one's definition
/// (harness/provider/known_bugs).
const Catalogue& known_bug_catalogue();

}  // namespace vparity::harness
