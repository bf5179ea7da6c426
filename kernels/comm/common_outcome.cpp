#include "comm/common_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "vparity/errors.h"

namespace vparity {
namespace {

/// As it travels; a longer text loses its end.
using Words = std::array<char, 1024>;

Words words_of(std::string_view text) {
  Words words{};
  std::ranges::copy(text.substr(0, words.size() - 1), words.begin());
  return words;
}

}  // namespace

void throw_if_any_failed(Communicator& group, std::string_view step, std::string_view failure) {
  const std::vector<Words> all = all_gather_values(group, words_of(failure));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].front() == '\0') continue;
    throw CommunicationError(
        fmt::format("{}: rank {} of {}: {}", step, rank, all.size(), all[rank].data()));
  }
}

}  // namespace vparity
