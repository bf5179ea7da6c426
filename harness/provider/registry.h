// The kernel sets this build knows, by name.
#pragma once

#include <string_view>
#include <vector>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// Every known name, in the order they are listed to a user.
std::vector<std::string_view> provider_names();

/// nullptr if there is none of that name.
const Provider* find_provider(std::string_view name);

}  // namespace vparity::harness
