// Text for a terminal of 80 columns: wrapped lines, tables, quantities with their units.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::reports {

/// Indent of the lines below a case's id: its 12 digits and two spaces.
inline constexpr std::size_t case_id_indent = 14;

inline constexpr std::size_t columns = 80;

/// `text` on one line of at most `width` characters; a longer text ends in three dots.
std::string cut(std::string_view text, std::size_t width = columns);

/// `text` broken between words, each line indented by `indent` spaces and ended by a line break. A
/// word longer than a line is cut.
std::string wrapped(std::string_view text, std::size_t indent = 0);

/// The same with `head` before the first line; the other lines are indented by its width.
std::string wrapped_behind(std::string_view head, std::string_view text);

enum class Align { left, right };

/// One line for each row. A column is as wide as its widest cell, and two spaces separate columns.
/// `align` says how each column is aligned; its last entry holds for all further columns. Rows may
/// differ in length.
std::vector<std::string> table_lines(const std::vector<std::vector<std::string>>& rows,
                                     const std::vector<Align>& align);

/// The same as one text, each line ended by a line break.
std::string table_text(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<Align>& align);

/// A time with three digits and its unit: "5.37 ms".
std::string time_text(double seconds);

/// A change by the share `ratio`, in percent: "+5.00%".
std::string change_text(double ratio);

}  // namespace vparity::reports
