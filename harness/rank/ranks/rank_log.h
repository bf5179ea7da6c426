// What a rank has to say on standard error.
#pragma once

#include <string_view>

namespace vparity::harness {

/// "[rank 3] text", as one line and at once, so that ranks do not cut into each other's lines.
void log_rank(int rank, std::string_view text);

}  // namespace vparity::harness
