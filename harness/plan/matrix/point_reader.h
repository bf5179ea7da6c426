// Axes as they stand in a matrix file, read into the parameters of a case.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/case/parameters.h"
#include "harness/io/json/json_place.h"
#include "harness/plan/matrix/model_vocabularies.h"

namespace vparity::harness {

class PointReader {
 public:
  explicit PointReader(const std::string& matrix_file) : models_(matrix_file) {}

  /// Sets one axis; `place` is the value's. Throws UsageError.
  void set(CaseParameters& parameters, std::string_view axis, const nlohmann::json& value,
           const JsonPlace& place);

  /// Sets the axes that an object names.
  void set_all(CaseParameters& parameters, const nlohmann::json& point, const JsonPlace& place);

 private:
  ModelVocabularies models_;
};

}  // namespace vparity::harness
