// A short text that ranks can exchange as bytes.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace vparity::harness {

struct FixedText {
  std::array<char, 512> characters{};  // ends with a zero

  FixedText() = default;
  explicit FixedText(std::string_view text) {
    std::ranges::copy(text.substr(0, characters.size() - 1), characters.begin());
  }
  std::string str() const { return characters.data(); }
  bool empty() const { return characters[0] == '\0'; }
};

}  // namespace vparity::harness
