// JSON files as strangers may write them: read strictly, and never trusted with memory or time.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace vparity::harness {

/// Far above any matrix a person or a generator writes.
inline constexpr std::size_t json_file_limit = std::size_t{4} << 20;  // bytes
inline constexpr std::size_t json_depth_limit = 32;

/// The one JSON value of a file. Throws UsageError naming file and place: unreadable, larger than
/// `limit` bytes, not JSON (line and column), nested deeper than json_depth_limit, a key twice in
/// one object, a number beyond a double.
nlohmann::json read_json_file(const std::string& path, std::size_t limit = json_file_limit);

}  // namespace vparity::harness
