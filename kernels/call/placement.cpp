#include "vparity/placement.h"

#include <fmt/format.h>

#include "vparity/errors.h"

namespace vparity {
namespace {

void check_rows(std::int64_t rows, std::int64_t row_stride, std::int64_t width) {
  if (rows < 0) throw ArgumentError(fmt::format("a view cannot have {} rows", rows));
  if (width < 0) throw ArgumentError(fmt::format("a row cannot be {} columns wide", width));
  if (rows > 1 && row_stride < width) {
    throw ArgumentError(fmt::format(
        "row_stride {} is smaller than the row's width of {} columns: rows would overlap",
        row_stride, width));
  }
}

}  // namespace

template <class Byte>
BasicVocabShard<Byte>::BasicVocabShard(BasicRows<Byte> rows, ShardColumns columns)
    : rows_(rows), columns_(columns) {
  check_rows(rows.rows, rows.row_stride, columns.width);
}

template class BasicVocabShard<const std::byte>;
template class BasicVocabShard<std::byte>;

FullLogits::FullLogits(Rows rows, std::int64_t vocab) : rows_(rows), vocab_(vocab) {
  check_rows(rows.rows, rows.row_stride, vocab);
}

std::int64_t TokenIds::rows() const {
  return std::visit([](const auto& ids) { return ids.rows(); }, ids_);
}

int TokenIds::columns() const {
  return std::visit([](const auto& ids) { return static_cast<int>(ids.columns()); }, ids_);
}

TokenIds TokenIds::slice(std::int64_t first, std::int64_t count) const {
  return std::visit([&](const auto& ids) -> TokenIds { return ids.slice(first, count); }, ids_);
}

}  // namespace vparity
