// The one reader of JSON. Input is untrusted: it is read strictly, and its size and depth are
// limited.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace vparity::harness {

/// Far above any matrix a person or a generator writes.
inline constexpr std::size_t json_file_limit = std::size_t{4} << 20;  // bytes
inline constexpr std::size_t json_depth_limit = 32;

/// The one JSON value that `text` is. `name` says in messages where the text comes from, `line`
/// which line of it the text is (JSON Lines). Throws UsageError: "NAME:LINE:COLUMN: ..." for text
/// that is not JSON, among it a NUL byte, invalid UTF-8 and anything after the value; "NAME:
/// /POINTER: ..." for nesting deeper than json_depth_limit, a key that an object has twice and a
/// number that a double cannot hold.
nlohmann::json parse_json(std::string_view text, const std::string& name,
                          std::optional<std::size_t> line = std::nullopt);

/// The same of a file. Throws UsageError also if it is unreadable, not a regular file, or larger
/// than `limit` bytes.
nlohmann::json read_json_file(const std::string& path, std::size_t limit = json_file_limit);

}  // namespace vparity::harness
