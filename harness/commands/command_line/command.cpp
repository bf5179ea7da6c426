#include "harness/commands/command_line/command.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace vparity::harness {

namespace {

std::string not_empty(const std::string& text) { return text.empty() ? "the value is empty" : ""; }

std::vector<std::string> names_of(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  return names;
}

}  // namespace

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::default_text(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option Option::needs(const std::string& other) {
  option_->needs(other);
  return *this;
}

Option Option::excludes(const std::string& other) {
  option_->excludes(other);
  return *this;
}

Option Option::decides_cases() {
  case_options_->push_back(option_);
  return *this;
}

Command& Command::add_command(const std::string& name, const std::string& description) {
  auto& added = *app_.add_subcommand(name, description);
  added.footer("");  // not the footer of this command
  added.group("Commands");
  return *commands_.emplace_back(std::make_unique<Command>(added));
}

void Command::require_command() { app_.require_subcommand(1); }

void Command::heading(const std::string& text) { app_.option_defaults()->group(text); }

Option Command::add_text(const std::string& names, std::string& target, const std::string& type,
                         const std::string& description) {
  return {app_.add_option(names, target, description)->check(not_empty)->type_name(type),
          &case_options_};
}

Option Command::add_texts(const std::string& names, std::vector<std::string>& target,
                          const std::string& type, const std::string& description) {
  return {app_.add_option(names, target, description)->check(not_empty)->type_name(type),
          &case_options_};
}

Option Command::add_repeatable(const std::string& names, std::vector<std::string>& target,
                               const std::string& type, const std::string& description) {
  auto added = add_texts(names, target, type, description);
  added.option_->allow_extra_args(false);
  return added;
}

Option Command::add_parsed(const std::string& names, const std::string& type,
                           const std::string& description, Read read) {
  return {app_.add_option_function<std::string>(names, std::move(read), description)
              ->check(not_empty)
              ->type_name(type),
          &case_options_};
}

Option Command::add_flag(const std::string& names, bool& target, const std::string& description) {
  return {app_.add_flag(names, target, description), &case_options_};
}

Option Command::add_flag(const std::string& names, std::function<void()> set,
                         const std::string& description) {
  return {app_.add_flag_callback(names, std::move(set), description), &case_options_};
}

Option Command::add_percent(const std::string& name, double& target, const std::string& description,
                            const NumberRange<double>& range) {
  const auto read = [&target, name, range](const std::string& text) {
    target = parse_number<double>(name, text, range) / 100;
  };
  return add_parsed(name, "PERCENT", description, read)
      .default_text(fmt::format("{:g}", 100 * target));
}

Option Command::add_seconds(const std::string& name, std::chrono::duration<double>& target,
                            const std::string& description) {
  const auto read = [&target, name](const std::string& text) {
    static constexpr NumberRange<double> seconds{0.001, 1e6};
    target = std::chrono::duration<double>(parse_number<double>(name, text, seconds));
  };
  return add_parsed(name, "S", description, read).default_text(fmt::format("{}", target.count()));
}

void Command::footer(const std::string& text) { app_.footer(text); }

void Command::action(std::function<int()> action) { action_ = std::move(action); }

std::function<int()> Command::chosen_action() const {
  for (const auto& command : commands_)
    if (command->app_.parsed()) return command->chosen_action();
  return action_;
}

std::vector<std::string> Command::option_names() const {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : app_.get_options({}))
    if (option != app_.get_help_ptr()) options.push_back(option);
  return names_of(options);
}

std::vector<std::string> Command::case_option_names() const { return names_of(case_options_); }

std::vector<std::string> Command::case_arguments() const {
  std::vector<std::string> arguments;
  for (const CLI::Option* option : case_options_)
    for (const auto& value : option->results())
      arguments.push_back(option->get_name() + "=" + value);
  return arguments;
}

}  // namespace vparity::harness
