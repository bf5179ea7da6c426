#include "harness/provider/registry/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

std::span<const Provider* const>& known_providers() {
  static std::span<const Provider* const> known = shipped_providers();
  return known;
}

std::string nearest_or_listed(std::string_view name) {
  std::vector<std::string> all, listed;
  for (const std::string_view known : provider_names()) {
    all.emplace_back(known);
    if (!known.starts_with("known-bug-")) listed.emplace_back(known);
  }
  return suggestion(name, nearest_name(name, all) ? all : listed);
}

}  // namespace

void use_providers(std::span<const Provider* const> providers) { known_providers() = providers; }

std::vector<std::string_view> provider_names() {
  std::vector<std::string_view> names;
  for (const Provider* provider : known_providers()) names.push_back(provider->name());
  return names;
}

const Provider* find_provider(std::string_view name) {
  const auto all = known_providers();
  const auto found =
      std::ranges::find_if(all, [&](const Provider* one) { return one->name() == name; });
  return found == all.end() ? nullptr : *found;
}

const Provider& provider_named(std::string_view name) {
  if (const Provider* provider = find_provider(name)) return *provider;
  throw UsageError(fmt::format("\"{}\" is not a known provider{}", name, nearest_or_listed(name)));
}

}  // namespace vparity::harness
