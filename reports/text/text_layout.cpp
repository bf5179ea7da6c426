#include "reports/text/text_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text/text_safety.h"

namespace vparity::reports {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
  return align == Align::left ? fmt::format("{:<{}}", cell, width)
                              : fmt::format("{:>{}}", cell, width);
}

}  // namespace

std::string cut(std::string_view text, std::size_t width) {
  const auto line = one_line(text);
  return line.size() <= width ? line : line.substr(0, width - 3) + "...";
}

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string lines, line(indent, ' ');
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto word = cut(text.substr(at, end - at), columns - indent);
    if (line.size() > indent && line.size() + 1 + word.size() > columns) {
      lines += line + "\n";
      line.assign(indent, ' ');
    }
    line += (line.size() == indent ? "" : " ") + word;
    at = end + 1;
  }
  return lines + line + "\n";
}

std::string wrapped_behind(std::string_view head, std::string_view text) {
  return wrapped(text, head.size()).replace(0, head.size(), head);
}

std::vector<std::string> table_lines(const Rows& rows, const std::vector<Align>& align) {
  const auto widths = widths_of(rows);
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    auto& line = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i)
      line +=
          (i == 0 ? "" : "  ") + padded(row[i], widths[i], align[std::min(i, align.size() - 1)]);
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

std::string table_text(const Rows& rows, const std::vector<Align>& align) {
  std::string text;
  for (const auto& line : table_lines(rows, align)) text += line + "\n";
  return text;
}

std::string time_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string change_text(double ratio) {
  const double value = 100 * ratio;
  return std::abs(value) < 1e4 ? fmt::format("{:+.2f}%", value) : fmt::format("{:+.2g}%", value);
}

}  // namespace vparity::reports
