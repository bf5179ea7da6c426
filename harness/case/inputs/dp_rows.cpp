#include "harness/case/inputs/dp_rows.h"

#include <numeric>

namespace vparity::harness {
namespace {

using Rows = std::vector<std::int64_t>;

/// As even as possible, the remainder to the first of the ranks [begin, dp).
Rows even_from(std::int64_t tokens, int begin, int dp) {
  Rows rows(static_cast<std::size_t>(dp), 0);
  const int ranks = dp - begin;
  for (int r = 0; r < ranks; ++r) {
    rows[static_cast<std::size_t>(begin + r)] = tokens / ranks + (r < tokens % ranks ? 1 : 0);
  }
  return rows;
}

/// In the ratio 1 : 2 : 3 ...; the last rank also gets the remainder of the rounding.
Rows uneven(std::int64_t tokens, int dp) {
  const std::int64_t shares = std::int64_t{dp} * (dp + 1) / 2;
  Rows rows;
  for (int r = 0; r < dp; ++r) rows.push_back(tokens * (r + 1) / shares);
  rows.back() += tokens - std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  return rows;
}

}  // namespace

std::vector<std::int64_t> deal_rows(const CaseParameters& parameters) {
  switch (parameters.dp_rows) {
    case DpRows::uneven:
      return uneven(parameters.tokens, parameters.dp);
    case DpRows::one_empty:
      // The first one: it is the rank that everything else tends to be counted from.
      return even_from(parameters.tokens, parameters.dp > 1 ? 1 : 0, parameters.dp);
    case DpRows::even:
      break;
  }
  return even_from(parameters.tokens, 0, parameters.dp);
}

}  // namespace vparity::harness
