#include "harness/cli/usage_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/usage_error.h"

namespace vparity::harness {
namespace {

/// The subcommand that was being parsed, else the program itself.
const CLI::App& parsed_command(const CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.back();
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
  const std::string place = &command == &app ? "" : command.get_name() + ": ";
  if (argument.starts_with('-')) {
    const std::string option = argument.substr(0, argument.find('='));
    const auto nearest = nearest_name(option, option_names(command));
    return fmt::format("{}unknown option {}{}", place, option,
                       nearest ? fmt::format(" (did you mean {}?)", *nearest)
                               : fmt::format(" (see {} --help)", command.get_name()));
  }
  if (&command == &app)
    return fmt::format("unknown subcommand {}{}", argument,
                       suggestion(argument, subcommand_names(app)));
  return fmt::format("{}unexpected argument {}", place, argument);
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  // CLI11 complains about what is missing before what is unknown; often the latter is the cause.
  std::vector<std::string> extras = parsed_command(app).remaining();
  if (extras.empty()) extras = app.remaining();
  if (!extras.empty()) return unexpected(app, extras.front());
  const CLI::App& command = parsed_command(app);
  return fmt::format("{}{}", &command == &app ? "" : command.get_name() + ": ", error.what());
}

}  // namespace vparity::harness
