#include "reports/schemas/schemas.h"

#include <nlohmann/json.hpp>
#include <string>

namespace vparity::reports {

/// JSON Merge Patch (RFC 7386) from parity.schema.json; embedded.
std::string_view throughput_schema_patch();

std::string_view throughput_schema() {
  static const std::string text = [] {
    auto schema = nlohmann::ordered_json::parse(parity_schema());
    schema.merge_patch(nlohmann::ordered_json::parse(throughput_schema_patch()));
    return schema.dump(2) + "\n";
  }();
  return text;
}

}  // namespace vparity::reports
