#include "harness/commands/command_line/number_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace vparity::harness {
namespace {

using testing::HasSubstr;

struct Arguments {
  std::int64_t rows = 64;
  std::optional<double> seconds;

  void parse(const std::string& option, const std::string& value) {
    CLI::App app;
    add_number(app, "-r,--rows", rows, "rows", {0, 100});
    add_number(app, "--seconds", seconds, "time");
    const std::array<const char*, 3> argv = {"test", option.c_str(), value.c_str()};
    app.parse(static_cast<int>(argv.size()), argv.data());
  }
};

TEST(NumberOption, TakesIntegersAndDecimals) {
  Arguments arguments;
  arguments.parse("--rows", "0");
  EXPECT_EQ(arguments.rows, 0);
  arguments.parse("-r", "100");
  EXPECT_EQ(arguments.rows, 100);
  arguments.parse("--seconds", "2.5e-1");
  EXPECT_EQ(arguments.seconds, 0.25);
}

TEST(NumberOption, RefusesWhatIsNoNumberInRangeAndNamesTheOption) {
  for (const std::string bad :
       {"abc", "", "-5", "101", "1.5", "7 ", "+7", "0x10", "99999999999999999999"}) {
    Arguments arguments;
    try {
      arguments.parse("--rows", bad);
      ADD_FAILURE() << "'" << bad << "' was accepted";
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()), "--rows: '" + bad + "' is not an integer from 0 to 100");
    }
    EXPECT_EQ(arguments.rows, 64);
  }
}

TEST(NumberOption, RefusesNonFiniteNumbers) {
  for (const std::string bad : {"1e999", "inf", "nan", "1,5", "abc", ""}) {
    Arguments arguments;
    EXPECT_THROW(arguments.parse("--seconds", bad), UsageError) << bad;
  }
}

TEST(NumberOption, HelpShowsTheDefaultOfANumber) {
  CLI::App app;
  std::int64_t rows = 64;
  add_number(app, "--rows", rows, "rows per rank");
  EXPECT_THAT(app.help(), HasSubstr("--rows N=64"));
}

}  // namespace
}  // namespace vparity::harness
