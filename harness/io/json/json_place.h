// Where a value stands, for messages: "FILE: /sweeps/0/axes/vocab/2: ...".
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace vparity::harness {

class JsonPlace {
 public:
  explicit JsonPlace(std::string file) : file_(std::move(file)) {}

  JsonPlace operator/(std::string_view member) const;
  JsonPlace operator/(std::size_t element) const;

  const std::string& file() const { return file_; }

  /// Throws UsageError: file, place (RFC 6901), message.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  std::string file_;
  nlohmann::json::json_pointer pointer_;
};

}  // namespace vparity::harness
