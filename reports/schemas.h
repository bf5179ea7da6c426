// The JSON Schemas that this build's reports obey (`vparity schema`).
#pragma once

#include <string_view>

namespace vparity::reports {

/// Of parity.json, "vparity.parity/1".
std::string_view parity_schema();

}  // namespace vparity::reports
