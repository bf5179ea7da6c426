// --help as this program prints it: within 80 columns.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vparity::harness {

/// CLI11's format, but descriptions are wrapped and end with the default.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat();

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace vparity::harness
