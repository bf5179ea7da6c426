#include "harness/commands/command_line/usage_message.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

/// The innermost command that was being parsed, else the program itself.
const CLI::App& parsed_command(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : parsed_command(*parsed.back());
}

/// "history add"; empty for the program itself.
std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  if (parent == nullptr) return "";
  const auto outer = full_name(*parent);
  return outer.empty() ? command.get_name() : outer + " " + command.get_name();
}

std::string place_of(const CLI::App& command) {
  const auto name = full_name(command);
  return name.empty() ? "" : name + ": ";
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string unexpected(const CLI::App& app, const std::string& argument) {
  const CLI::App& command = parsed_command(app);
  const auto place = place_of(command);
  if (argument.starts_with('-')) {
    const std::string option = argument.substr(0, argument.find('='));
    const auto nearest = nearest_name(option, option_names(command));
    return fmt::format("{}unknown option {}{}", place, option,
                       nearest ? fmt::format(" (did you mean {}?)", *nearest)
                               : fmt::format(" (see {} --help)", full_name(command)));
  }
  if (const auto known = subcommand_names(command); !known.empty())
    return fmt::format("{}unknown command {}{}", place, argument, suggestion(argument, known));
  return fmt::format("{}unexpected argument {}", place, argument);
}

/// CLI11 says "--filter: 1 required GLOB missing", "--filter: At Most 1 required but received 2",
/// "-q excludes -v".
std::string in_plain_words(const std::string& problem) {
  const auto option = problem.substr(0, problem.find_first_of(": "));
  if (problem.ends_with(" missing")) return option + " needs a value";
  if (problem.find(": At Most 1 required") != std::string::npos)
    return option + " is given more than once";
  constexpr std::string_view excludes = " excludes ";
  if (const auto at = problem.find(excludes); at != std::string::npos)
    return fmt::format("{} and {} exclude each other", problem.substr(0, at),
                       problem.substr(at + excludes.size()));
  return problem;
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  // CLI11 reports missing arguments before unknown ones, which are often the cause.
  const CLI::App& command = parsed_command(app);
  for (const CLI::App* level = &command; level != nullptr; level = level->get_parent())
    if (const auto extras = level->remaining(); !extras.empty())
      return unexpected(app, extras.front());
  if (const auto known = subcommand_names(command); !known.empty())
    return fmt::format("{}a command is missing ({})", place_of(command), fmt::join(known, ", "));
  return place_of(command) + in_plain_words(error.what());
}

}  // namespace vparity::harness
