#include "harness/plan/matrix/model_vocabularies.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "harness/io/json/json_file.h"
#include "harness/io/json/json_require.h"
#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"
#include "vparity/vocabulary_split.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

std::int64_t read_columns(const json& model, const JsonPlace& place) {
  require_object(model, place, {"vocab", "source"}, {"vocab", "source"});
  require_text(model["source"], place / "source");
  const auto columns = as_integer(model["vocab"]);
  if (!columns || *columns < 1 || *columns > max_vocab)
    (place / "vocab").fail(fmt::format("must be an integer from 1 to {}", max_vocab));
  return *columns;
}

std::map<std::string, std::int64_t> read_models(const std::string& file) {
  const json root = read_json_file(file);
  const JsonPlace place(file);
  require_object(root, place, {"schema", "models"}, {"schema", "models"});
  require_schema(root, place, "vparity.models/1");
  std::map<std::string, std::int64_t> columns;
  for (const auto& [name, model] : root["models"].items())
    columns[name] = read_columns(model, place / "models" / name);
  return columns;
}

}  // namespace

ModelVocabularies::ModelVocabularies(const std::string& matrix_file)
    : file_(std::filesystem::path(matrix_file).replace_filename("models.json")) {}

std::int64_t ModelVocabularies::columns_of(const std::string& model, const JsonPlace& place) {
  try {
    if (!columns_) columns_ = read_models(file_);
  } catch (const UsageError& error) {
    place.fail(fmt::format("{} would be a model's name, but {}", shown(model), error.what()));
  }
  const auto found = columns_->find(model);
  if (found != columns_->end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, columns] : *columns_) known.push_back(name);
  place.fail(fmt::format("{} is neither a number nor a model of {}{}", shown(model), file_,
                         suggestion(model, known)));
}

}  // namespace vparity::harness
