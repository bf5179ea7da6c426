// The providers this build knows, by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// Those of vparity. A provider comes under test by standing in this list (provider_list.cpp).
std::span<const Provider* const> shipped_providers();

/// From now on the functions below know `providers`, which are borrowed, instead of those shipped.
/// Only main() calls this, before anything else.
void use_providers(std::span<const Provider* const> providers);

/// Every known name, in the order they are listed to a user.
std::vector<std::string_view> provider_names();

/// nullptr if there is none of that name.
const Provider* find_provider(std::string_view name);

/// Throws UsageError naming the nearest known provider. Those that are wrong on purpose, whose
/// names begin with `known-bug-`, are named if they are near, but never listed.
const Provider& provider_named(std::string_view name);

}  // namespace vparity::harness
