// Vocabulary sizes by model name, from models.json beside a matrix file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "harness/io/json/json_place.h"

namespace vparity::harness {

class ModelVocabularies {
 public:
  /// Reads nothing yet: a matrix that names no model needs no models.json.
  explicit ModelVocabularies(const std::string& matrix_file);

  /// Columns of the model of that name; `place` is where the name stands. Throws UsageError.
  std::int64_t columns_of(const std::string& model, const JsonPlace& place);

 private:
  std::string file_;
  std::optional<std::map<std::string, std::int64_t>> columns_;
};

}  // namespace vparity::harness
