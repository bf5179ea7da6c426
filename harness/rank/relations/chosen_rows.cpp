#include "harness/rank/relations/chosen_rows.h"

namespace vparity::harness {

ChosenRows first_rows(const Operands& original, std::int64_t most) {
  std::vector<std::int64_t> rows, dp_rows;
  std::int64_t first = 0;
  for (const std::int64_t all : original.dp_rows()) {
    dp_rows.push_back(std::min(all, most));
    for (std::int64_t t = 0; t < dp_rows.back(); ++t) rows.push_back(first + t);
    first += all;
  }
  return {original, std::move(rows), std::move(dp_rows)};
}

}  // namespace vparity::harness
