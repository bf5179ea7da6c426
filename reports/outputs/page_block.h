// What a page for a browser carries: bytes compressed as zlib does (RFC 1950), in base64 (RFC
// 4648).
#pragma once

#include <string>
#include <string_view>

namespace vparity::reports {

/// Letters, digits, "+", "/" and "=" alone: nothing that HTML takes for its own. The viewer's
/// blocks.ts reads it.
std::string page_block(std::string_view bytes);

}  // namespace vparity::reports
