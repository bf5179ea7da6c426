#include "comm/large_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace vparity {
namespace {

TEST(LargeCopy, CopiesExactlyTheBytesAtAnyAlignment) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{1000}, streamed_copy_bytes - 1,
        streamed_copy_bytes, streamed_copy_bytes + 61}) {
    for (const std::size_t from_offset : {0U, 3U, 64U}) {
      for (const std::size_t to_offset : {0U, 1U, 63U, 64U}) {
        std::vector<std::byte> from(size + from_offset);
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 / 3);
        std::vector<std::byte> to(size + to_offset + 65, std::byte{0x5A});
        const std::span<const std::byte> source(from.data() + from_offset, size);
        copy_bytes(source, to.data() + to_offset);
        const auto first = to.begin() + static_cast<std::ptrdiff_t>(to_offset);
        const auto last = first + static_cast<std::ptrdiff_t>(size);
        EXPECT_TRUE(std::equal(first, last, source.begin())) << size;
        const auto untouched = [](std::byte byte) { return byte == std::byte{0x5A}; };
        EXPECT_TRUE(std::all_of(to.begin(), first, untouched)) << size;
        EXPECT_TRUE(std::all_of(last, to.end(), untouched)) << size;
      }
    }
  }
}

}  // namespace
}  // namespace vparity
