// One command of `vparity`: its options, its help and what it does. Commands do not include CLI11:
// its header takes longer to compile than a command.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/io/usage_error.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vparity::harness {

/// Both ends belong to the range.
template <class T>
struct NumberRange {
  T lowest = std::numeric_limits<T>::lowest();
  T highest = std::numeric_limits<T>::max();
};

/// The whole of `text` as a number, in any locale. (CLI11's own conversion follows the locale.)
/// Throws UsageError naming `option`, the text and the range.
template <class T>
T parse_number(std::string_view option, std::string_view text, const NumberRange<T>& range = {}) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = error == std::errc{} && end == text.data() + text.size();
  if constexpr (std::floating_point<T>) good = good && std::isfinite(value);
  if (good && range.lowest <= value && value <= range.highest) return value;
  const bool unlimited =
      range.lowest == NumberRange<T>{}.lowest && range.highest == NumberRange<T>{}.highest;
  throw UsageError(fmt::format("{}: '{}' is not {}{}", option, text,
                               std::integral<T> ? "an integer" : "a number",
                               std::floating_point<T> && unlimited
                                   ? ""
                                   : fmt::format(" from {} to {}", range.lowest, range.highest)));
}

template <class Target>
struct NumberIn {
  using type = Target;
};
template <class T>
struct NumberIn<std::optional<T>> {
  using type = T;
};

/// An option that was added to a command.
class Option {
 public:
  Option required();
  /// Shown by --help.
  Option default_text(const std::string& text);
  /// Refused without, or together with, the option of that name, which was added before.
  Option needs(const std::string& other);
  Option excludes(const std::string& other);

  /// The option decides which cases run or how they run. So another build that is to run the same
  /// cases gets it too: Command::case_arguments().
  Option decides_cases();

 private:
  friend class Command;
  Option(CLI::Option* option, std::vector<const CLI::Option*>* case_options)
      : option_(option), case_options_(case_options) {}

  CLI::Option* option_;
  std::vector<const CLI::Option*>* case_options_;
};

/// What options are read into has to outlive the parsing.
/// The names of an option are given as "-n,--number"; one without dashes is a positional argument.
/// A value that is empty is refused: it is an unset shell variable, not a wish for the default.
class Command {
 public:
  using Read = std::function<void(const std::string&)>;

  /// `app` has to outlive the command.
  explicit Command(CLI::App& app) : app_(app) {}
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// The added command lives as long as this one.
  Command& add_command(const std::string& name, const std::string& description);
  /// At least one of the commands that were added has to be chosen.
  void require_command();

  /// Heading in --help of the options that are added from now on.
  void heading(const std::string& text);

  Option add_text(const std::string& names, std::string& target, const std::string& type,
                  const std::string& description);
  /// Takes one value or several.
  Option add_texts(const std::string& names, std::vector<std::string>& target,
                   const std::string& type, const std::string& description);
  /// Takes one value each time it is given, also one that begins with a dash (--name=-x).
  Option add_repeatable(const std::string& names, std::vector<std::string>& target,
                        const std::string& type, const std::string& description);
  /// `read` gets the text.
  Option add_parsed(const std::string& names, const std::string& type,
                    const std::string& description, Read read);
  Option add_flag(const std::string& names, bool& target, const std::string& description);
  Option add_flag(const std::string& names, std::function<void()> set,
                  const std::string& description);

  /// `target` is a number, whose value is the default, or an optional number. Messages use the last
  /// of the names.
  template <class Target, class T = typename NumberIn<Target>::type>
  Option add_number(const std::string& names, Target& target, const std::string& description,
                    const NumberRange<T>& range = {}) {
    const std::string option = names.substr(names.rfind(',') + 1);
    auto added = add_parsed(names, std::integral<T> ? "N" : "X", description,
                            [&target, option, range](const std::string& text) {
                              target = parse_number<T>(option, text, range);
                            });
    if constexpr (std::same_as<Target, T>) added.default_text(fmt::format("{}", target));
    return added;
  }
  /// In percent on the command line, a fraction in `target`, whose value is the default.
  Option add_percent(const std::string& name, double& target, const std::string& description,
                     const NumberRange<double>& range);
  /// The value of `target` is the default.
  Option add_seconds(const std::string& name, std::chrono::duration<double>& target,
                     const std::string& description);

  /// Text below the options in --help: examples, exit codes.
  void footer(const std::string& text);
  /// What the command does once the command line is understood; returns the exit code.
  void action(std::function<int()> action);
  /// The action of this command or of the chosen one below it; none if its action was not set.
  std::function<int()> chosen_action() const;

  /// All options but --help, by their longest names.
  std::vector<std::string> option_names() const;
  /// Those that decide which cases run or how.
  std::vector<std::string> case_option_names() const;
  /// As they were given, "--name=value" for each value.
  std::vector<std::string> case_arguments() const;

 private:
  CLI::App& app_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<const CLI::Option*> case_options_;
  std::function<int()> action_;
};

}  // namespace vparity::harness
