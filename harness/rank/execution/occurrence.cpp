#include "harness/rank/execution/occurrence.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace vparity::harness {
namespace {

struct Count {
  std::string_view name;
  std::int64_t Occurrence::*member;
};

constexpr std::array counts{
    Count{"rows", &Occurrence::rows},
    Count{"ignored_labels", &Occurrence::ignored_labels},
    Count{"ignored_ids", &Occurrence::ignored_ids},
    Count{"duplicate_ids", &Occurrence::duplicate_ids},
    Count{"border_labels", &Occurrence::border_labels},
    Count{"last_labels", &Occurrence::last_labels},
    Count{"masked_logits", &Occurrence::masked_logits},
    Count{"masked_targets", &Occurrence::masked_targets},
    Count{"masked_shards", &Occurrence::masked_shards},
    Count{"masked_starts", &Occurrence::masked_starts},
    Count{"single_columns", &Occurrence::single_columns},
    Count{"poisoned_rows", &Occurrence::poisoned_rows},
    Count{"degenerate_rows", &Occurrence::degenerate_rows},
    Count{"finite_padding", &Occurrence::finite_padding},
    Count{"upstreams", &Occurrence::upstreams},
    Count{"zero_upstreams", &Occurrence::zero_upstreams},
    Count{"non_unit_upstreams", &Occurrence::non_unit_upstreams},
    Count{"dp_ranks_without_rows", &Occurrence::dp_ranks_without_rows},
    Count{"dp_ranks_ignored", &Occurrence::dp_ranks_ignored},
    Count{"gradient_elements", &Occurrence::gradient_elements},
    Count{"gradient_zeros", &Occurrence::gradient_zeros},
};
static_assert(sizeof(Occurrence) == counts.size() * sizeof(std::int64_t), "a count is not listed");

constexpr float masked = -std::numeric_limits<float>::infinity();

void add_ids(Occurrence& counted, const std::vector<std::int64_t>& ids, std::int64_t ignore_index) {
  for (auto id = ids.begin(); id != ids.end(); ++id) {
    counted.ignored_ids += *id == ignore_index ? 1 : 0;
    counted.duplicate_ids += std::find(ids.begin(), id, *id) != id ? 1 : 0;
  }
}

void add_label(Occurrence& counted, std::int64_t label, std::span<const float> logits,
               const VocabularySplit& split) {
  const ShardColumns& owner = split.shard(split.owner_of(label));
  counted.border_labels += label == owner.begin || label == owner.end - 1 ? 1 : 0;
  counted.last_labels += label == split.vocab() - 1 ? 1 : 0;
  counted.masked_targets += logits[static_cast<std::size_t>(label)] == masked ? 1 : 0;
}

void add_shard(Occurrence& counted, std::span<const float> shard) {
  if (shard.empty()) return;
  const auto masks = std::ranges::count(shard, masked);
  const bool whole = masks == static_cast<std::ptrdiff_t>(shard.size());
  counted.masked_logits += masks;
  counted.masked_shards += whole ? 1 : 0;
  counted.masked_starts += !whole && shard.front() == masked ? 1 : 0;
}

}  // namespace

void Occurrence::add_row(const reference::RowStatistics& row, std::span<const float> logits,
                         const VocabularySplit& split, std::int64_t ignore_index) {
  ++rows;
  add_ids(*this, row.ids, ignore_index);
  if (row.valid) {
    add_label(*this, row.ids.front(), logits, split);
  } else {
    ++ignored_labels;
  }
  for (int rank = 0; rank < split.tp(); ++rank) {
    const ShardColumns& shard = split.shard(rank);
    add_shard(*this, logits.subspan(static_cast<std::size_t>(shard.begin),
                                    static_cast<std::size_t>(shard.valid())));
  }
  single_columns += row.valid_columns == 1 && row.vocab > 1 ? 1 : 0;
  poisoned_rows += row.kind == reference::RowKind::poisoned ? 1 : 0;
  degenerate_rows += row.kind == reference::RowKind::degenerate ? 1 : 0;
}

void Occurrence::add_upstream(float weight) {
  ++upstreams;
  zero_upstreams += weight == 0 ? 1 : 0;
  non_unit_upstreams += weight != 1 ? 1 : 0;
}

void Occurrence::combine(const Occurrence& other) {
  for (const Count& count : counts) this->*count.member += other.*count.member;
}

nlohmann::ordered_json to_json(const Occurrence& occurrence) {
  nlohmann::ordered_json json;
  for (const Count& count : counts) json[std::string(count.name)] = occurrence.*count.member;
  const double elements =
      static_cast<double>(std::max<std::int64_t>(occurrence.gradient_elements, 1));
  json["gradient_zero_share"] = static_cast<double>(occurrence.gradient_zeros) / elements;
  return json;
}

}  // namespace vparity::harness
