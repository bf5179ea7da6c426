#include "harness/commands/command_line/usage_message.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vparity::harness {
namespace {

/// What a program with the commands `run FILE [--filter GLOB] [-q|-v]`, `report` and
/// `history add|merge` says to arguments.
std::string message(std::vector<const char*> arguments) {
  CLI::App app("test", "test");
  std::string text;
  CLI::App& run = *app.add_subcommand("run", "");
  run.add_option("FILE", text)->required();
  run.add_option("--filter", text);
  run.add_option("--launcher", text)->group("Starting ranks");
  auto* quiet = run.add_flag("-q");
  run.add_flag("-v")->excludes(quiet);
  app.add_subcommand("report", "");
  CLI::App& history = *app.add_subcommand("history", "");
  history.require_subcommand(1);
  history.add_subcommand("add", "")->add_option("--anchor", text);
  history.add_subcommand("merge", "");
  arguments.insert(arguments.begin(), "test");
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::ParseError& error) {
    return usage_message(app, error);
  }
  return "accepted";
}

TEST(UsageMessage, NamesTheNearestCommand) {
  EXPECT_EQ(message({"runn"}), "unknown command runn (did you mean run?)");
  EXPECT_EQ(message({"banana"}), "unknown command banana (known: run, report, history)");
}

TEST(UsageMessage, NamesTheNearestOption) {
  EXPECT_EQ(message({"run", "x", "--filtre", "a"}),
            "run: unknown option --filtre (did you mean --filter?)");
  EXPECT_EQ(message({"run", "x", "--filtre=a"}),
            "run: unknown option --filtre (did you mean --filter?)");
  EXPECT_EQ(message({"run", "x", "--launchr", "a"}),
            "run: unknown option --launchr (did you mean --launcher?)");
  EXPECT_EQ(message({"run", "x", "--banana"}), "run: unknown option --banana (see run --help)");
  EXPECT_EQ(message({"--hlep"}), "unknown option --hlep (did you mean --help?)");
}

TEST(UsageMessage, AnUnknownOptionComesBeforeWhatIsMissing) {
  EXPECT_EQ(message({"run", "--filtre=a"}),
            "run: unknown option --filtre (did you mean --filter?)");
}

TEST(UsageMessage, CommandsOfACommandAreNamedWithIt) {
  EXPECT_EQ(message({"history"}), "history: a command is missing (add, merge)");
  EXPECT_EQ(message({"history", "ad"}), "history: unknown command ad (did you mean add?)");
  EXPECT_EQ(message({"history", "add", "--ancor=x"}),
            "history add: unknown option --ancor (did you mean --anchor?)");
  EXPECT_EQ(message({"history", "merge", "x"}), "history merge: unexpected argument x");
}

TEST(UsageMessage, SaysInPlainWordsWhatIsWrongWithAnOption) {
  EXPECT_EQ(message({"run", "x", "--filter"}), "run: --filter needs a value");
  EXPECT_EQ(message({"run", "x", "--filter=a", "--filter=b"}),
            "run: --filter is given more than once");
  EXPECT_EQ(message({"run", "x", "-q", "-v"}), "run: -q and -v exclude each other");
}

TEST(UsageMessage, NamesWhatIsMissingOrTooMuch) {
  EXPECT_EQ(message({"run"}), "run: FILE is required");
  EXPECT_EQ(message({"run", "x", "y"}), "run: unexpected argument y");
}

}  // namespace
}  // namespace vparity::harness
