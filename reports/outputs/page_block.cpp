#include "reports/outputs/page_block.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace vparity::reports {
namespace {

/// OpenSSL counts bytes by an int. A multiple of 3: base64 of the pieces is that of the whole.
constexpr std::size_t piece_bytes = std::size_t{3} << 20;

std::string compressed(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int result =
      compress2(std::bit_cast<Bytef*>(out.data()), &size, std::bit_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_DEFAULT_COMPRESSION);
  if (result != Z_OK) throw std::runtime_error(std::string("zlib: ") + zError(result));
  out.resize(size);
  return out;
}

std::string base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and the zero that OpenSSL writes
  std::size_t written = 0;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece_bytes, bytes.size()))) {
    const auto piece = bytes.substr(0, piece_bytes);
    written += static_cast<std::size_t>(EVP_EncodeBlock(
        std::bit_cast<unsigned char*>(out.data() + written),
        std::bit_cast<const unsigned char*>(piece.data()), static_cast<int>(piece.size())));
  }
  out.resize(written);
  return out;
}

}  // namespace

std::string page_block(std::string_view bytes) { return base64(compressed(bytes)); }

}  // namespace vparity::reports
