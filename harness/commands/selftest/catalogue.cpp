#include "harness/commands/selftest/catalogue.h"

#include "harness/provider/known_bugs/known_bugs.h"
#include "harness/provider/registry/registry.h"

namespace vparity::harness {
namespace {

Catalogue catalogue_of(std::span<const KnownBug> bugs) {
  Catalogue catalogue;
  for (const KnownBug& bug : bugs) {
    const bool on_cpu = provider_named(bug.provider).runs_on(Backend::cpu);
    catalogue.push_back({std::string(bug.provider), std::string(bug.cases),
                         on_cpu ? Backend::cpu : Backend::cuda_sim});
  }
  return catalogue;
}

}  // namespace

const Catalogue& known_bug_catalogue() {
  static const Catalogue catalogue = catalogue_of(known_bugs());
  return catalogue;
}

}  // namespace vparity::harness
