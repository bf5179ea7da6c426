// Which cases of the CI matrix are meant to catch which bug. Whoever checks a case knows nothing
// of it: a bug is a provider like any other, and its cases are those that the gate runs on
// every provider.
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

/// All known bugs (harness/provider/known_bugs).
const Catalogue& known_bug_catalogue();

}  // namespace vparity::harness
