#include "device/pipeline/forward_call.h"

#include <variant>
#include <vector>

namespace vparity::cuda {

Targets ForwardCall::targets(RowRange rows) const {
  return {device_ids(rows_of(ids, rows)), logits.columns(), split.vocab(), options.ignore_index};
}

const std::int64_t* ForwardCall::shard_ends(int exchanged_with) const {
  const auto* const ends = buffers.shard_ends.as<const std::int64_t>();
  return exchanged_with == ranks() ? ends : ends + ranks();
}

const std::byte* ForwardCall::all_gather(const std::byte* own, std::size_t bytes) const {
  const std::vector<std::size_t> sizes(static_cast<std::size_t>(ranks()), bytes);
  std::byte* const all = buffers.gathered.resize<std::byte>(bytes * sizes.size());
  tp.all_gather(own, all, sizes);
  return all;
}

DeviceIds device_ids(const TokenIds& ids) {
  return std::visit(
      [](const auto& view) -> DeviceIds {
        constexpr bool wide = sizeof(*view.data()) == sizeof(std::int64_t);
        return {view.data(), wide, static_cast<int>(view.columns()), view.row_stride(),
                view.column_stride()};
      },
      ids.view());
}

Logits device_logits(const VocabShard& shard) {
  const Rows& rows = shard.rows();
  return {rows.data, rows.dtype, rows.rows, rows.row_stride, shard.columns().valid()};
}

}  // namespace vparity::cuda
