#include "harness/commands/command_line/help_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace vparity::harness {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t name_width = 30;

/// Stands for a space at which no line is broken.
constexpr char fixed_space = '\x01';

/// Lines that fit beside the names. A word that is longer stands alone.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines;
  std::size_t used = 0;
  for (std::string word; words >> word; used += word.size()) {
    if (used == 0) {
      lines += word;
    } else if (used + 1 + word.size() <= line_width - name_width) {
      lines += " " + word;
      ++used;
    } else {
      lines += "\n" + word;
      used = 0;
    }
  }
  std::ranges::replace(lines, fixed_space, ' ');
  return lines;
}

}  // namespace

HelpFormat::HelpFormat() { column_width(name_width); }

std::string HelpFormat::make_help(const CLI::App* app, std::string name,
                                  CLI::AppFormatMode mode) const {
  auto help = Formatter::make_help(app, std::move(name), mode);
  // CLI11 separates headings by two empty lines.
  for (auto at = help.find("\n\n\n"); at != std::string::npos; at = help.find("\n\n\n", at))
    help.erase(at, 1);
  while (help.ends_with("\n\n")) help.pop_back();
  return help;
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  std::ostringstream out;
  CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description()),
                           column_width_);
  return out.str();
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_type_size() == 0) return "";
  const bool several = option->get_expected_max() == CLI::detail::expected_max_vector_size &&
                       option->get_allow_extra_args();
  return fmt::format(" {}{}", option->get_type_name(), several ? "..." : "");
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  auto text = option->get_description();
  if (option->get_required() && !option->get_positional()) text += " (required)";
  if (const auto standard = option->get_default_str(); !standard.empty())
    text += fmt::format(" (default:{}{})", fixed_space, standard);
  return wrapped(text);
}

}  // namespace vparity::harness
