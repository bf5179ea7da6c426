#include "reports/text/text_safety.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vparity::reports {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}

/// How many bytes at the beginning of `rest`, which is UTF-8, are to be replaced.
std::size_t unprintable_prefix(std::string_view rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  if (byte(0) < 0x20) return rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' ? 0 : 1;
  if (byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) < 0xa0) return 2;  // U+0080 to U+009F
  return rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF") ? 3 : 0;
}

std::string with_references(std::string_view text, std::string_view characters) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) == std::string_view::npos)
      result += c;
    else
      result += fmt::format("&#{};", static_cast<int>(c));
  }
  return result;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Breaks the marks by which GitHub's runner knows a command in one line of its log: "::" after
/// blanks, "##[" anywhere (github.com/actions/runner, src/Runner.Common/ActionCommand.cs).
std::string without_commands(std::string line) {
  const auto start = std::ranges::find_if_not(line, is_blank) - line.begin();
  const auto at = static_cast<std::size_t>(start);
  if (line.compare(at, 2, "::") == 0) line.replace(at, 1, replacement);
  for (std::size_t mark = 0; (mark = line.find("##[", mark)) != std::string::npos;)
    line.replace(mark, 1, replacement);
  return line;
}

/// At most `limit` bytes and an ellipsis; a code point stays whole.
std::string shortened(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  while (limit > 0 && continues(limit)) --limit;
  return text.substr(0, limit) + "\u2026";
}

}  // namespace

std::string printable(std::string_view text) {
  const std::string valid = valid_utf8(text);
  std::string result;
  for (std::string_view rest = valid; !rest.empty();) {
    const auto bad = unprintable_prefix(rest);
    result += bad == 0 ? rest.substr(0, 1) : replacement;
    rest.remove_prefix(std::max<std::size_t>(bad, 1));
  }
  return result;
}

std::string one_line(std::string_view text) {
  auto line = printable(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

std::string log_text(std::string_view lines) {
  const auto text = printable(lines);
  std::string result;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    std::ranges::replace(line, '\r', ' ');
    result += without_commands(std::move(line));
    if (end < text.size()) result += '\n';
  }
  return result;
}

std::string xml_text(std::string_view text) { return with_references(printable(text), "&<>\r"); }

// A reader makes spaces of line breaks that are not references.
std::string xml_attribute(std::string_view text) {
  return with_references(printable(text), "&<>\"\t\n\r");
}

std::string markdown_code(std::string_view text) {
  constexpr std::size_t enough = 2000;
  const auto line = shortened(one_line(text), enough);
  // As references, characters have no meaning to Markdown (CommonMark 0.31, section 2.5).
  return "<code>" + with_references(line, "&<>\"'\\`*_[](){}#!|~$^@") + "</code>";
}

std::string github_escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    if (c == '%' || c == '\r' || c == '\n')
      result += fmt::format("%{:02X}", static_cast<int>(c));
    else
      result += c;
  }
  return result;
}

}  // namespace vparity::reports
