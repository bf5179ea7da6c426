// The CI matrix that this program was built with.
#pragma once

#include <string_view>

namespace vparity::harness {

std::string_view ci_matrix();           ///< matrices/ci.json
std::string_view model_vocabularies();  ///< matrices/models.json, which it names

}  // namespace vparity::harness
