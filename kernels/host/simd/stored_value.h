// One stored logit as a number.
#pragma once

#include <cstddef>

#include "vparity/dtype.h"

namespace vparity {

/// Exact, at any alignment.
float stored_value(const std::byte* at, DType dtype);

}  // namespace vparity
