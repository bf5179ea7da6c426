#include "harness/io/json/json_require.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {

using nlohmann::json;

void require_object(const json& value, const JsonPlace& place,
                    const std::vector<std::string>& known,
                    const std::vector<std::string>& required) {
  if (!value.is_object()) place.fail(fmt::format("must be an object, not {}", value.type_name()));
  for (const auto& [name, unused] : value.items())
    if (std::find(known.begin(), known.end(), name) == known.end())
      place.fail(fmt::format("unknown key {}{}", shown(name), suggestion(name, known)));
  for (const std::string& name : required)
    if (!value.contains(name)) place.fail(fmt::format("\"{}\" is missing", name));
}

const json::array_t& require_list(const json& value, const JsonPlace& place) {
  if (!value.is_array()) place.fail(fmt::format("must be a list, not {}", value.type_name()));
  if (value.empty()) place.fail("must not be an empty list");
  return value.get_ref<const json::array_t&>();
}

std::string require_text(const json& value, const JsonPlace& place) {
  if (!value.is_string()) place.fail(fmt::format("must be a text, not {}", value.type_name()));
  if (value.get_ref<const std::string&>().empty()) place.fail("must not be empty");
  return value.get<std::string>();
}

std::string require_name(const json& value, const JsonPlace& place) {
  const std::string name = require_text(value, place);
  if (!is_plain_name(name))
    place.fail(shown(value) + " is not a name of 1 to 64 letters, digits, '_', '.' and '-'");
  return name;
}

void require_schema(const json& root, const JsonPlace& place, const std::string& schema) {
  if (root["schema"] != schema)
    (place / "schema")
        .fail(fmt::format("is {}, this program reads \"{}\"", shown(root["schema"]), schema));
}

}  // namespace vparity::harness
