#include "comm/common_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "vparity/errors.h"

namespace vparity {
namespace {

/// A text of fixed size, as ranks exchange it; a longer text loses its end.
using Text = std::array<char, 1024>;

Text fixed_size(std::string_view text) {
  Text copy{};
  std::ranges::copy(text.substr(0, copy.size() - 1), copy.begin());
  return copy;
}

}  // namespace

void throw_if_any_failed(Communicator& group, std::string_view step, std::string_view failure) {
  const std::vector<Text> all = all_gather_values(group, fixed_size(failure));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].front() == '\0') continue;
    throw CommunicationError(
        fmt::format("{}: rank {} of {}: {}", step, rank, all.size(), all[rank].data()));
  }
}

}  // namespace vparity
