#include "harness/case/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace vparity::harness {

std::string sha256_hex(std::string_view text) {
  constexpr std::size_t digest_bytes = 32;
  std::array<unsigned char, digest_bytes> digest{};
  if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL offers no SHA-256");
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace vparity::harness
