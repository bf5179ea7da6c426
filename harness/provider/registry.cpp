#include "harness/provider/registry.h"

#include <algorithm>
#include <array>

#include "harness/provider/vparity_provider.h"

namespace vparity::harness {
namespace {

/// A kernel set comes under test by standing here.
const auto& all_providers() {
  static const VparityProvider vparity;
  static const std::array<const Provider*, 1> all{&vparity};
  return all;
}

}  // namespace

std::vector<std::string_view> provider_names() {
  std::vector<std::string_view> names;
  for (const Provider* provider : all_providers()) names.push_back(provider->name());
  return names;
}

const Provider* find_provider(std::string_view name) {
  const auto& all = all_providers();
  const auto found =
      std::ranges::find_if(all, [&](const Provider* one) { return one->name() == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace vparity::harness
