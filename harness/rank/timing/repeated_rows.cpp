#include "harness/rank/timing/repeated_rows.h"

#include <algorithm>

namespace vparity::harness {

RepeatedRows::RepeatedRows(const Operands& original, std::int64_t vocab, std::int64_t elements,
                           int dp_rank, const ShardColumns& own)
    : OperandsView(original),
      first_kept_(original.first_row(dp_rank)),
      begin_(own.begin),
      width_(own.width) {
  const std::int64_t distinct = std::max<std::int64_t>(elements / vocab, 1);
  for (std::int64_t first = 0; const std::int64_t rows : original.dp_rows()) {
    for (std::int64_t t = 0; t < rows; ++t) sources_.push_back(first + t % distinct);
    first += rows;
  }
  const std::int64_t own_rows = original.dp_rows()[static_cast<std::size_t>(dp_rank)];
  for (std::int64_t t = 0; t < std::min(own_rows, distinct); ++t) {
    auto& row = kept_.emplace_back(static_cast<std::size_t>(width_));
    original.logits(first_kept_ + t, begin_, row);
  }
}

void RepeatedRows::logits(std::int64_t row, std::int64_t begin, std::span<float> out) const {
  const std::int64_t from = source(row);
  const std::int64_t kept = from - first_kept_;
  const bool is_kept = kept >= 0 && kept < std::ssize(kept_) && begin >= begin_ &&
                       begin + std::ssize(out) <= begin_ + width_;
  if (!is_kept) return original().logits(from, begin, out);
  const auto& values = kept_[static_cast<std::size_t>(kept)];
  std::copy_n(values.begin() + (begin - begin_), out.size(), out.begin());
}

}  // namespace vparity::harness
