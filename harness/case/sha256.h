// SHA-256 (FIPS 180-4) of a text, by OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace vparity::harness {

/// 64 lower-case hex digits.
std::string sha256_hex(std::string_view text);

}  // namespace vparity::harness
