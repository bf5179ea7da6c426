// The rows that patterns of whole rows apply to. They are fixed residues, so that a few rows
// already hold every kind, and chosen so that the patterns do not hide each other.
#pragma once

#include <cstdint>

namespace vparity::harness::schedule {

/// Rows from which on each kind below has occurred.
inline constexpr std::int64_t nonfinite_period = 5;
inline constexpr std::int64_t whole_row_period = 5;

/// Logits `nonfinite`: NaN in rows 0, 4, 8, ..., +inf in rows 2, 6, 10, ...; of these, rows 4 to 7,
/// 12 to 15, ... are ignored.
constexpr bool has_nan(std::int64_t row) { return row % 4 == 0; }
constexpr bool has_infinity(std::int64_t row) { return row % 4 == 2; }
constexpr bool nonfinite_ignored(std::int64_t row) { return row % 8 == 4 || row % 8 == 6; }

/// Mask `whole_row`: rows 1, 4, 7, ...; of these 4, 10, ... are ignored. The others are odd, so
/// that no non-finite logit makes them anything else than a row without a valid column.
constexpr bool wholly_masked(std::int64_t row) { return row % 3 == 1; }
constexpr bool wholly_masked_ignored(std::int64_t row) { return row % 6 == 4; }

/// Rows whose further ids repeat column 0.
constexpr bool has_duplicate_ids(std::int64_t row) { return row % 4 == 3; }

}  // namespace vparity::harness::schedule
