#include "harness/rank/check/agreement.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::harness {
namespace {

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

struct NamedRows {
  std::string_view name;
  const GuardedRows& buffer;

  std::size_t elements() const {
    return static_cast<std::size_t>(buffer.rows().rows * buffer.width());
  }
};

std::array<NamedRows, 4> row_outputs(const RankOutputs& outputs) {
  return {{{"logprob", outputs.logprob},
           {"entropy", outputs.entropy},
           {"lse", outputs.lse},
           {"loss", outputs.loss}}};
}

/// All row outputs one after the other, so that one collective carries them.
std::vector<float> concatenated(const RankOutputs& outputs) {
  std::vector<float> all;
  for (const NamedRows& output : row_outputs(outputs)) {
    const auto* values = reinterpret_cast<const float*>(output.buffer.rows().data);
    all.insert(all.end(), values, values + output.elements());
  }
  return all;
}

/// "entropy of row 17", of an index into what `concatenated` gives.
std::string place_of(std::size_t element, const RankOutputs& outputs, std::int64_t first_row) {
  for (const NamedRows& output : row_outputs(outputs)) {
    if (element < output.elements()) {
      const auto width = static_cast<std::size_t>(output.buffer.width());
      return fmt::format("{} of row {}", output.name,
                         first_row + static_cast<std::int64_t>(element / width));
    }
    element -= output.elements();
  }
  return {};
}

void add(Disagreement& found, const std::string& text) {
  if (found.values++ == 0) found.first = FixedText(text);
}

void compare_rows(Disagreement& found, const RankOutputs& outputs, std::int64_t first_row,
                  const ProcessGrid& grid) {
  const std::vector<float> own = concatenated(outputs);
  std::vector<float> all(own.size() * static_cast<std::size_t>(grid.tp().size()));
  grid.tp().all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
  if (grid.tp().rank() != 0) return;
  const int first_rank = grid.world().rank();
  for (std::size_t i = own.size(); i < all.size(); ++i) {
    const std::size_t element = i % own.size();
    if (same_bits(all[i], all[element])) continue;
    add(found, fmt::format("{} is {} on rank {} and {} on rank {}",
                           place_of(element, outputs, first_row), all[element], first_rank, all[i],
                           first_rank + static_cast<int>(i / own.size())));
  }
}

void compare_global(Disagreement& found, const GlobalResults& own, const ProcessGrid& grid) {
  static_assert(sizeof(GlobalResults) == 3 * sizeof(double) + 2 * sizeof(std::int64_t),
                "no padding, whose bits mean nothing");
  const std::vector<GlobalResults> all = all_gather_values(grid.world(), own);
  if (grid.world().rank() != 0) return;
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (same_bits(all[rank], all[0])) continue;
    add(found, fmt::format("loss_sum is {} over {} tokens on rank 0 and {} over {} on rank {}",
                           all[0].loss_sum, all[0].valid_tokens, all[rank].loss_sum,
                           all[rank].valid_tokens, rank));
  }
}

}  // namespace

Disagreement find_disagreement(const RankOutputs& outputs, std::int64_t first_row,
                               const ProcessGrid& grid) {
  Disagreement found;
  compare_rows(found, outputs, first_row, grid);
  compare_global(found, outputs.global, grid);
  return found;
}

}  // namespace vparity::harness
