// Amounts of memory as a person reads them.
#pragma once

#include <cstdint>
#include <string>

namespace vparity::harness {

/// "512 B", "1.5 KiB", "3.2 GiB": one decimal above bytes.
std::string bytes_text(std::int64_t bytes);

}  // namespace vparity::harness
