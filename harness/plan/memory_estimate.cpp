#include "harness/plan/memory_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "harness/case/inputs/dp_rows.h"
#include "vparity/vocabulary_split.h"

namespace vparity::harness {
namespace {

constexpr std::int64_t page = 4096;

/// One row of the vocabulary as the rank that owns its reference keeps it: the logits in fp32 and
/// in double, and per column of its own shard the expected gradient with its bound, the logit and
/// the actual value.
constexpr std::int64_t reference_bytes_per_column = 12;
constexpr std::int64_t comparison_bytes_per_column = 32;

/// Per row: reference statistics, saved statistics and outputs; per id: the id, its upstream
/// gradient, its logprob and what is expected of it.
constexpr std::int64_t bytes_per_row = 512;
constexpr std::int64_t bytes_per_id = 96;

/// Code, libraries and transport buffers of one rank: a process under MPI, of which 20 MiB were
/// measured to be resident before it does anything, or a thread.
constexpr std::int64_t process_bytes = std::int64_t{48} << 20;
constexpr std::int64_t thread_bytes = std::int64_t{16} << 20;

/// A gather holds what it sends, what it receives and the rows put together from that.
constexpr std::int64_t gather_copies = 2;

constexpr std::string_view three_allreduce = "three-allreduce";
constexpr std::string_view gather_full_grad = "gather-full-grad";

std::int64_t rows_bytes(const CaseParameters& p, DType dtype, std::int64_t rows,
                        std::int64_t width) {
  const std::int64_t row = width * static_cast<std::int64_t>(size_of(dtype));
  if (p.row_stride != RowStride::huge) return rows * row;
  return rows * ((row + page - 1) / page + 1) * page;  // a row need not start on a page
}

/// The fp32 matrices that a baseline (harness/provider/baselines) keeps: the logits' copy, their
/// softmax and a gradient, and log-probabilities for the entropy's.
std::int64_t baseline_bytes(const CaseParameters& p, std::int64_t rows, std::int64_t width) {
  if (p.provider != three_allreduce && p.provider != gather_full_grad) return 0;
  const std::int64_t columns = p.provider == gather_full_grad ? p.vocab : width;
  const std::int64_t matrices = p.grad_of.entropy ? 4 : 3;
  return matrices * rows * columns * static_cast<std::int64_t>(sizeof(float));
}

std::int64_t gathered_bytes(const CaseParameters& p, std::int64_t rows) {
  if (p.mode != Mode::gather && p.provider != gather_full_grad) return 0;
  const std::int64_t chunk = p.chunk == 0 ? rows : std::min(rows, p.chunk);
  return gather_copies * chunk * p.vocab * static_cast<std::int64_t>(size_of(p.dtype));
}

std::int64_t rank_bytes(const CaseParameters& p, std::int64_t rows, std::int64_t width) {
  const std::int64_t logits = rows_bytes(p, p.dtype, rows, width);
  const std::int64_t gradient = p.in_place ? 0 : rows_bytes(p, p.gradient_dtype(), rows, width);
  const std::int64_t reference =
      p.vocab * reference_bytes_per_column + width * comparison_bytes_per_column;
  const std::int64_t statistics = rows * (bytes_per_row + p.ids * bytes_per_id);
  const std::int64_t program = p.transport == Transport::threads ? thread_bytes : process_bytes;
  return logits + gradient + gathered_bytes(p, rows) + baseline_bytes(p, rows, width) + reference +
         statistics + program;
}

/// sum + count * bytes, or a figure that no machine reaches where that would overflow.
std::int64_t plus_product(std::int64_t sum, std::int64_t count, std::int64_t bytes) {
  constexpr std::int64_t unreachable = std::int64_t{1} << 62;
  return bytes < (unreachable - sum) / count ? sum + count * bytes : unreachable;
}

}  // namespace

MemoryEstimate estimate_memory(const CaseParameters& parameters) {
  const auto split = VocabularySplit::of_layout(parameters.layout, parameters.vocab, parameters.tp);
  // DP ranks with equally many rows need the same.
  std::map<std::int64_t, std::int64_t> groups_by_rows;
  for (const std::int64_t rows : deal_rows(parameters)) ++groups_by_rows[rows];
  MemoryEstimate estimate;
  for (const auto& [rows, groups] : groups_by_rows) {
    for (int rank = 0; rank < parameters.tp; ++rank) {
      const std::int64_t bytes = rank_bytes(parameters, rows, split.shard(rank).width);
      estimate.largest_rank = std::max(estimate.largest_rank, bytes);
      estimate.all_ranks = plus_product(estimate.all_ranks, groups, bytes);
    }
  }
  return estimate;
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr double step = 1024;
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= step && unit + 1 < units.size(); ++unit) amount /= step;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

}  // namespace vparity::harness
