#include "harness/check/agreement.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace vparity::harness {
namespace {

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

std::string rows_disagree(std::string_view name, const GuardedRows& buffer, std::int64_t first_row,
                          const ProcessGrid& grid) {
  const Rows rows = buffer.rows();
  const auto elements = static_cast<std::size_t>(rows.rows * buffer.width());
  std::vector<float> all(elements * static_cast<std::size_t>(grid.tp().size()));
  grid.tp().all_gather({rows.data, elements * sizeof(float)},
                       std::as_writable_bytes(std::span(all)));
  for (std::size_t i = elements; i < all.size(); ++i) {
    const std::size_t element = i % elements;
    if (same_bits(all[i], all[element])) continue;
    const auto row = first_row + static_cast<std::int64_t>(element) / buffer.width();
    const int first_rank = grid.world().rank() - grid.tp().rank();
    return fmt::format("{} of row {} is {} on rank {} and {} on rank {}", name, row, all[element],
                       first_rank, all[i], first_rank + static_cast<int>(i / elements));
  }
  return {};
}

std::string global_results_disagree(const GlobalResults& own, const ProcessGrid& grid) {
  static_assert(sizeof(GlobalResults) == 3 * sizeof(double) + 2 * sizeof(std::int64_t),
                "no padding, whose bits mean nothing");
  const std::vector<GlobalResults> all = all_gather_values(grid.world(), own);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (same_bits(all[rank], all[0])) continue;
    return fmt::format(
        "the global results differ: loss_sum {} of {} tokens on rank 0, {} of {} on rank {}",
        all[0].loss_sum, all[0].valid_tokens, all[rank].loss_sum, all[rank].valid_tokens, rank);
  }
  return {};
}

}  // namespace

FixedText find_disagreement(const RankOutputs& outputs, std::int64_t first_row,
                            const ProcessGrid& grid) {
  // All of them are made, whatever the first ones say: they are collective.
  const std::string all[] = {
      rows_disagree("logprob", outputs.logprob, first_row, grid),
      rows_disagree("entropy", outputs.entropy, first_row, grid),
      rows_disagree("lse", outputs.lse, first_row, grid),
      rows_disagree("loss", outputs.loss, first_row, grid),
      global_results_disagree(outputs.global, grid),
  };
  for (const std::string& one : all) {
    if (!one.empty()) return FixedText(one);
  }
  return {};
}

}  // namespace vparity::harness
