// One sweep of a matrix file: a product of axes with exclusions, and single cases.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/io/json/json_place.h"
#include "harness/plan/matrix/matrix.h"
#include "harness/plan/matrix/point_reader.h"

namespace vparity::harness {

/// Points of all products and case lists of one matrix; a file of a few lines can ask for more than
/// any machine holds.
inline constexpr std::int64_t matrix_point_limit = 100'000;

class SweepReader {
 public:
  /// `matrix` is added to; everything given outlives the reader.
  SweepReader(PointReader& points, const CaseParameters& defaults, Matrix& matrix)
      : points_(points), defaults_(defaults), matrix_(matrix) {}

  /// Throws UsageError.
  void read(const nlohmann::json& sweep, const JsonPlace& place);

 private:
  void read_product(const nlohmann::json& sweep, const JsonPlace& place);
  void add_if_possible();
  void read_cases(const nlohmann::json& cases, const JsonPlace& place);
  void count_points(std::int64_t points, const JsonPlace& place);

  PointReader& points_;
  const CaseParameters& defaults_;
  Matrix& matrix_;
  SweepCase current_;  ///< name and measures of the sweep that is being read
  std::map<std::string, std::int64_t> dropped_;  ///< points of that sweep by reason
  std::int64_t point_count_ = 0;
};

}  // namespace vparity::harness
