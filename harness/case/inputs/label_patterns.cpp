#include "harness/case/inputs/label_patterns.h"

#include <algorithm>
#include <array>

#include "harness/case/inputs/philox.h"
#include "harness/case/inputs/row_schedule.h"

namespace vparity::harness {
namespace {

using philox::Stream;

// Which class a row is labelled with.

std::int64_t uniform_class(const InputSpace& space, std::int64_t row, int column) {
  const auto w = philox::words(space.seed, Stream::ids, row, static_cast<std::uint32_t>(column));
  return philox::below(space.parameters.vocab, w[0]);
}

/// The first and the last column of every shard in turn.
std::int64_t shard_edge(const InputSpace& space, std::int64_t row, int) {
  const auto owns_columns = [&](int rank) { return space.split.shard(rank).valid() > 0; };
  int shards = 0;  // those that own columns come first in every layout
  while (shards < space.split.tp() && owns_columns(shards)) ++shards;
  const auto edge = static_cast<int>(row % (std::int64_t{2} * shards));
  const ShardColumns& shard = space.split.shard(edge / 2);
  return edge % 2 == 0 ? shard.begin : shard.end - 1;
}

std::int64_t last_class(const InputSpace& space, std::int64_t, int) {
  return space.parameters.vocab - 1;
}

// Which ids are ignored.

bool none_ignored(const InputSpace&, std::int64_t, int) { return false; }
bool all_ignored(const InputSpace&, std::int64_t, int) { return true; }

/// Row 0 never and row 1 always, so that two rows already hold both kinds.
bool a_third_ignored(const InputSpace& space, std::int64_t row, int column) {
  if (row < 2) return row == 1;
  const auto block = static_cast<std::uint32_t>(column);
  return philox::chance(0.3, philox::words(space.seed, Stream::ignored, row, block)[0]);
}

/// All rows of the first DP rank that has any.
bool first_dp_rank_ignored(const InputSpace& space, std::int64_t row, int) {
  const auto first =
      std::ranges::find_if(space.dp_rows, [](std::int64_t rows) { return rows > 0; });
  return first != space.dp_rows.end() && row < *first;
}

struct Pattern {
  std::int64_t (*label)(const InputSpace&, std::int64_t row, int column);
  bool (*ignored)(const InputSpace&, std::int64_t row, int column);
};

/// In the order of LabelPattern.
constexpr std::array<Pattern, 6> label_patterns{{
    {uniform_class, none_ignored},           // uniform
    {shard_edge, none_ignored},              // shard_edges
    {last_class, none_ignored},              // last_id
    {uniform_class, a_third_ignored},        // ignored_30
    {uniform_class, all_ignored},            // all_ignored
    {uniform_class, first_dp_rank_ignored},  // one_dp_rank_ignored
}};

const Pattern& pattern_of(const InputSpace& space) {
  return label_patterns.at(static_cast<std::size_t>(space.parameters.labels));
}

/// Rows that other patterns ask to be ignored.
bool row_ignored(const CaseParameters& parameters, std::int64_t row) {
  return (parameters.logits == LogitsPattern::nonfinite && schedule::nonfinite_ignored(row)) ||
         (parameters.mask == MaskPattern::whole_row && schedule::wholly_masked_ignored(row));
}

/// Column 0 follows the pattern; the others are uniform, or repeat it.
std::int64_t class_of(const InputSpace& space, std::int64_t row, int column) {
  const bool label = column == 0 || schedule::has_duplicate_ids(row);
  const std::int64_t id =
      label ? pattern_of(space).label(space, row, 0) : uniform_class(space, row, column);
  const bool taken = id == space.parameters.ignore_index;
  return taken ? (id + 1) % space.parameters.vocab : id;
}

}  // namespace

std::int64_t token_id(const InputSpace& space, std::int64_t row, int column) {
  const bool ignored =
      row_ignored(space.parameters, row) || pattern_of(space).ignored(space, row, column);
  return ignored ? space.parameters.ignore_index : class_of(space, row, column);
}

}  // namespace vparity::harness
