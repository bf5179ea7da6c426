#include "harness/plan/matrix/matrix.h"

#include "harness/case/axes.h"
#include "harness/io/json/json_file.h"
#include "harness/io/json/json_require.h"
#include "harness/io/json/json_value.h"
#include "harness/plan/matrix/point_reader.h"
#include "harness/plan/matrix/sweep.h"

namespace vparity::harness {
namespace {

using nlohmann::json;

std::uint64_t read_seed(const json& seed, const JsonPlace& place) {
  const auto number = as_integer(seed);
  if (!number || *number < 0) place.fail(shown(seed) + " is not an integer from 0 to 2^63 - 1");
  return static_cast<std::uint64_t>(*number);
}

/// The axes among the defaults; the seed is none.
CaseParameters read_defaults(json defaults, const JsonPlace& place, PointReader& points) {
  CaseParameters parameters;
  defaults.erase("seed");
  if (!defaults.empty()) points.set_all(parameters, defaults, place);
  return parameters;
}

std::vector<std::string> default_names() {
  std::vector<std::string> names = axis_names();
  names.push_back("seed");
  return names;
}

}  // namespace

Matrix read_matrix(const std::string& path) {
  const json root = read_json_file(path);
  const JsonPlace place(path);
  require_object(root, place, {"schema", "name", "defaults", "sweeps"},
                 {"schema", "name", "sweeps"});
  require_schema(root, place, "vparity.matrix/1");

  Matrix matrix;
  matrix.name = require_name(root["name"], place / "name");
  PointReader points(path);
  const json given = root.value("defaults", json::object());
  require_object(given, place / "defaults", default_names(), {});
  if (given.contains("seed")) matrix.seed = read_seed(given["seed"], place / "defaults" / "seed");
  const CaseParameters defaults = read_defaults(given, place / "defaults", points);

  SweepReader sweeps(points, defaults, matrix);
  for (std::size_t i = 0; const json& sweep : require_list(root["sweeps"], place / "sweeps"))
    sweeps.read(sweep, place / "sweeps" / i++);
  return matrix;
}

}  // namespace vparity::harness
