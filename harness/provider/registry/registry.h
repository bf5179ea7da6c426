// The providers this build knows, by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// In provider_list.cpp, which the linker leaves out of a program that brings a list of its own:
/// the test programs that also know providers which crash or hang.
std::span<const Provider* const> all_providers();

/// Every known name, in the order they are listed to a user.
std::vector<std::string_view> provider_names();

/// nullptr if there is none of that name.
const Provider* find_provider(std::string_view name);

/// Throws UsageError naming the nearest known provider. Those that are wrong on purpose, whose
/// names begin with `known-bug-`, are named if they are near, but never listed.
const Provider& provider_named(std::string_view name);

}  // namespace vparity::harness
