// Text that fits a terminal of 80 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::reports {

inline constexpr std::size_t columns = 80;

/// `text` on one line of at most `width`; three dots stand for the rest.
std::string cut(std::string_view text, std::size_t width = columns);

/// Broken between words, each line behind `indent` spaces and ended; a word that is longer than a
/// line is cut.
std::string wrapped(std::string_view text, std::size_t indent = 0);

/// The same behind `head`, as it is: what does not fit on its line stands under the first word.
std::string wrapped_behind(std::string_view head, std::string_view text);

enum class Align { left, right };

/// Each row a line, each column as wide as its widest cell and two spaces from the next, aligned as
/// `align` says and, beyond it, as its last says. A row may be shorter than others.
std::vector<std::string> table_lines(const std::vector<std::vector<std::string>>& rows,
                                     const std::vector<Align>& align);

/// The same, each line ended.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<Align>& align);

}  // namespace vparity::reports
