// Rows whose sums are hard to get right, for the tests of both passes.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "host/simd/row_kernels_test_support.h"

namespace vparity::cpu {

struct Pattern {
  std::string name;
  std::vector<double> (*make)(std::size_t columns);
  bool beyond_fp16 = false;
};

inline std::vector<double> from_normal(std::size_t columns, double scale, double offset) {
  std::mt19937_64 random(columns);
  std::normal_distribution<double> normal;
  std::vector<double> row(columns);
  for (double& x : row) x = offset + scale * normal(random);
  return row;
}

/// The row with every column masked that `keep` does not name.
inline std::vector<double> masked(std::vector<double> row,
                                  const std::function<bool(std::size_t)>& keep) {
  for (std::size_t v = 0; v < row.size(); ++v) {
    if (!keep(v)) row[v] = -infinity;
  }
  return row;
}

inline std::vector<double> ascending(std::size_t columns) {
  std::vector<double> row(columns);
  for (std::size_t v = 0; v < columns; ++v) {
    row[v] = 12.0 * static_cast<double>(v) / static_cast<double>(columns);
  }
  return row;
}

inline const std::vector<Pattern>& patterns() {
  using Row = std::vector<double>;
  static const std::vector<Pattern> all{
      {"normal", [](std::size_t n) { return from_normal(n, 2, 0); }},
      {"constant", [](std::size_t n) { return Row(n, 0.7); }},
      {"all_but_the_maximum_constant",
       [](std::size_t n) {
         Row row(n, -0.3);
         row[n / 2] = 0;
         return row;
       }},
      {"one_peak",
       [](std::size_t n) {
         Row row(n, -10.3);
         row[n / 3] = 15;
         return row;
       }},
      {"ascending", ascending},
      {"wide", [](std::size_t n) { return from_normal(n, 40, 0); }},
      {"offset_1e4", [](std::size_t n) { return from_normal(n, 3, 1e4); }},
      {"offset_-1e7", [](std::size_t n) { return from_normal(n, 3, -1e7); }, true},
      {"whole_range",
       [](std::size_t n) {
         Row row(n);
         for (std::size_t v = 0; v < n; ++v) row[v] = 3e38 * std::cos(static_cast<double>(v));
         return row;
       },
       true},
      {"ties",
       [](std::size_t n) {
         Row row = from_normal(n, 1, 0);
         for (double& x : row) x = std::round(2 * x) / 2;
         return row;
       }},
      {"random_mask",
       [](std::size_t n) {
         return masked(from_normal(n, 2, 0), [](std::size_t v) { return v % 7 % 2 == 0; });
       }},
      {"all_but_one_masked",
       [](std::size_t n) {
         return masked(from_normal(n, 2, 0), [n](std::size_t v) { return v == n - 1; });
       }},
      {"first_half_masked",
       [](std::size_t n) {
         return masked(from_normal(n, 2, 0), [n](std::size_t v) { return v >= n / 2; });
       }},
  };
  return all;
}

/// Calls `check` with one stored row of each pattern and dtype whose range holds it.
inline void for_every_pattern(std::size_t columns, const std::function<void(StoredRows&)>& check) {
  for (const Pattern& pattern : patterns()) {
    for (const DType dtype : all_dtypes) {
      if (dtype == DType::fp16 && pattern.beyond_fp16) continue;
      SCOPED_TRACE(pattern.name + " " + std::string(name_of(dtype)) + " " +
                   std::to_string(columns));
      StoredRows logits = one_row(dtype, pattern.make(columns));
      check(logits);
    }
  }
}

/// Random rows; the padding holds NaN and 1e30.
inline StoredRows random_rows(DType dtype, const StoredRows::Shape& shape) {
  StoredRows logits(dtype, shape);
  for (std::int64_t t = 0; t < shape.rows; ++t) {
    auto row = from_normal(static_cast<std::size_t>(shape.columns), 2, static_cast<double>(t));
    for (std::int64_t v = 0; v < shape.padding; ++v) row.push_back(v % 2 == 0 ? nan : 1e30);
    logits.set_row(t, row);
  }
  return logits;
}

/// Around lanes, chains and blocks of every vector width, and real vocabularies.
inline const std::vector<std::size_t>& small_sizes() {
  static const std::vector<std::size_t> sizes{
      1,  2,   3,   4,   5,   7,   8,   9,   15,   16,   17,   31,   32,   33,   63,   64,
      65, 127, 128, 129, 255, 511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4097};
  return sizes;
}

}  // namespace vparity::cpu
