#include "reports/outputs/page_block.h"

#include <gmock/gmock.h>

#include <string>

namespace vparity::reports {
namespace {

/// By hand. zlib's header is 78 9c; fixed Huffman codes: block header 1, 10; "a" is 0x30 + 0x61 =
/// 10010001, end 0000000: bits 1 1 0 10010001 0000000 from the low end are 4b 04 00; the Adler-32
/// of "a" is (1 + 97) << 16 | (1 + 97).
TEST(PageBlock, IsZlibInBase64) {
  // 78 9c 4b | 04 00 00 | 62 00 62
  EXPECT_EQ(page_block("a"), "eJxLBAAAYgBi");
}

/// Longer than one piece of base64; what is longer must have no padding but at its end.
TEST(PageBlock, IsOneText) {
  std::string bytes;
  unsigned state = 1;
  while (bytes.size() < (std::size_t{7} << 20))
    bytes += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24);
  const auto block = page_block(bytes);
  EXPECT_GT(block.size(), bytes.size());  // noise does not shrink
  EXPECT_EQ(block.size() % 4, 0U);
  EXPECT_GE(
      block.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
      block.size() - 2);
}

}  // namespace
}  // namespace vparity::reports
