// Makes strings of a report safe for terminals, logs, XML and Markdown: they may hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace vparity::reports {

/// Replaces by U+FFFD the bytes that are not UTF-8 and the code points that XML 1.0 or terminals do
/// not accept (controls other than tab and line breaks, noncharacters).
std::string printable(std::string_view text);

/// `text`, printable, with spaces for tabs and line breaks.
std::string one_line(std::string_view text);

/// Lines for a terminal or a CI log: printable, with "\n" as the only line break, and without
/// anything that GitHub would execute as a workflow command.
std::string log_text(std::string_view lines);

/// `text`, printable, as XML character data and as the value of a quoted attribute. Both keep line
/// breaks.
std::string xml_text(std::string_view text);
std::string xml_attribute(std::string_view text);

/// `text` as `<code>...</code>`: printable, on one line, cut to 2000 bytes, without anything that
/// Markdown or HTML would take for markup.
std::string markdown_code(std::string_view text);

/// `text`, printable, as the message of a GitHub workflow command
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
std::string github_escaped(std::string_view text);

}  // namespace vparity::reports
