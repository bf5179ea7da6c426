#include "harness/io/json/json_place.h"

#include <fmt/format.h>

#include "harness/io/usage_error.h"

namespace vparity::harness {

JsonPlace JsonPlace::operator/(std::string_view member) const {
  JsonPlace inner = *this;
  inner.pointer_ /= std::string(member);
  return inner;
}

JsonPlace JsonPlace::operator/(std::size_t element) const {
  JsonPlace inner = *this;
  inner.pointer_ /= element;
  return inner;
}

void JsonPlace::fail(std::string_view message) const {
  const std::string pointer = pointer_.to_string();
  throw UsageError(fmt::format("{}: {}{}{}", file_, pointer, pointer.empty() ? "" : ": ", message));
}

}  // namespace vparity::harness
