// One stored logit as a number.
#pragma once

#include <cstddef>

#include "vparity/dtype.h"

namespace vparity {

/// Exact; no alignment is asked for.
float stored_value(const std::byte* at, DType dtype);

}  // namespace vparity
