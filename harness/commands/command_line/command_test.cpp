#include "harness/commands/command_line/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "harness/commands/command_line/help_format.h"

namespace vparity::harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void parse(CLI::App& app, std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "test");
  app.parse(static_cast<int>(arguments.size()), arguments.data());
}

struct Numbers {
  std::int64_t rows = 64;
  std::optional<double> seconds;

  void parse(const std::string& option, const std::string& value) {
    CLI::App app;
    Command command(app);
    command.add_number("-r,--rows", rows, "rows", {0, 100});
    command.add_number("--seconds", seconds, "time");
    harness::parse(app, {option.c_str(), value.c_str()});
  }
};

TEST(Command, NumbersAreIntegersOrDecimals) {
  Numbers numbers;
  numbers.parse("--rows", "0");
  EXPECT_EQ(numbers.rows, 0);
  numbers.parse("-r", "100");
  EXPECT_EQ(numbers.rows, 100);
  numbers.parse("--seconds", "2.5e-1");
  EXPECT_EQ(numbers.seconds, 0.25);
}

TEST(Command, RefusesWhatIsNoNumberInRangeAndNamesTheOption) {
  for (const std::string bad :
       {"abc", "-5", "101", "1.5", "7 ", "+7", "0x10", "99999999999999999999"}) {
    Numbers numbers;
    try {
      numbers.parse("--rows", bad);
      ADD_FAILURE() << "'" << bad << "' was accepted";
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()), "--rows: '" + bad + "' is not an integer from 0 to 100");
    }
    EXPECT_EQ(numbers.rows, 64);
  }
}

TEST(Command, RefusesNonFiniteNumbers) {
  for (const std::string bad : {"1e999", "inf", "nan", "1,5", "abc"}) {
    Numbers numbers;
    EXPECT_THROW(numbers.parse("--seconds", bad), UsageError) << bad;
  }
}

TEST(Command, RefusesEmptyValuesOfEveryKind) {
  for (const char* option :
       {"--text", "--texts", "--again", "--number", "--percent", "--seconds", "--parsed"}) {
    CLI::App app;
    Command command(app);
    std::string text;
    std::vector<std::string> texts, again;
    int number = 1;
    double percent = 0.5;
    std::chrono::duration<double> seconds{1};
    command.add_text("--text", text, "T", "");
    command.add_texts("--texts", texts, "T", "");
    command.add_repeatable("--again", again, "T", "");
    command.add_number("--number", number, "");
    command.add_percent("--percent", percent, "", {0, 100});
    command.add_seconds("--seconds", seconds, "");
    command.add_parsed("--parsed", "T", "", [](const std::string&) {});
    try {
      parse(app, {option, ""});
      ADD_FAILURE() << option << " was accepted";
    } catch (const CLI::ParseError& error) {
      EXPECT_THAT(error.what(), HasSubstr("the value is empty")) << option;
    }
  }
}

TEST(Command, PercentsAreStoredAsFractions) {
  CLI::App app;
  Command command(app);
  double fraction = 0.02;
  command.add_percent("--threshold", fraction, "", {0, 1000});
  parse(app, {"--threshold", "5"});
  EXPECT_EQ(fraction, 0.05);
}

TEST(Command, ChosenActionIsThatOfTheInnermostCommand) {
  CLI::App app;
  Command program(app);
  auto& run = program.add_command("run", "");
  run.action([] { return 1; });
  auto& history = program.add_command("history", "");
  history.add_command("add", "").action([] { return 2; });
  EXPECT_FALSE(program.chosen_action());
  parse(app, {"history", "add"});
  EXPECT_EQ(program.chosen_action()(), 2);
}

TEST(Command, CaseArgumentsAreThoseGivenOfTheMarkedOptions) {
  CLI::App app;
  Command command(app);
  std::string filter, out;
  std::vector<std::string> launcher;
  command.add_text("--filter", filter, "GLOB", "").decides_cases();
  command.add_text("--out", out, "DIR", "");
  command.add_repeatable("--launcher-arg", launcher, "A", "").decides_cases();
  parse(app, {"--launcher-arg=-x", "--out=o", "--filter", "*,tp=2,*", "--launcher-arg=y z"});
  EXPECT_THAT(command.case_option_names(), ElementsAre("--filter", "--launcher-arg"));
  EXPECT_THAT(command.case_arguments(),
              ElementsAre("--filter=*,tp=2,*", "--launcher-arg=-x", "--launcher-arg=y z"));
}

TEST(HelpFormat, WrapsDescriptionsAndEndsThemWithTheDefault) {
  CLI::App app("test");
  app.formatter(std::make_shared<HelpFormat>());
  Command command(app);
  std::int64_t rows = 64;
  std::string history;
  command.add_number("--rows", rows,
                     "Rows of logits that each rank gets in every one of its cases");
  command.heading("History");
  command.add_text("--history", history, "DIR", "The history").required();
  const auto help = app.help();
  EXPECT_THAT(
      help,
      HasSubstr("  --rows N                    Rows of logits that each rank gets in every one of\n"
                "                              its cases (default: 64)\n"));
  EXPECT_THAT(help, HasSubstr("\n\nHistory:\n"
                              "  --history DIR               The history (required)\n"));
}

}  // namespace
}  // namespace vparity::harness
