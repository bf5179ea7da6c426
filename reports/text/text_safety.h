// Strings of a report are data, whoever worded them: what they need to stand in another file.
#pragma once

#include <string>
#include <string_view>

namespace vparity::reports {

/// Bytes that are no UTF-8, and the code points that neither XML 1.0 nor a terminal takes (controls
/// other than tab and line breaks, noncharacters), become U+FFFD.
std::string printable(std::string_view text);

/// `text`, printable, with spaces for tabs and line breaks.
std::string one_line(std::string_view text);

/// Lines for a terminal or a CI system's log: printable, with no line break but "\n", and nothing
/// in them that GitHub would obey as a workflow command.
std::string log_text(std::string_view lines);

/// `text`, printable, as XML character data, and as the value of a quoted attribute. Line breaks
/// survive in both.
std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);

/// `text`, printable, on one line, cut to some hundred characters, so that neither Markdown nor
/// HTML finds anything of its own in it: `<code>...</code>`.
std::string markdown_code(std::string_view text);

/// `text`, printable, as the message of a GitHub workflow command
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
std::string github_escaped(std::string_view text);

}  // namespace vparity::reports
