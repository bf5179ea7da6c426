#include "harness/commands/command_line/comparison_arguments.h"

#include <fmt/format.h>

#include "harness/commands/command_line/number_option.h"
#include "harness/commands/command_line/text_option.h"

namespace vparity::harness {
namespace {

/// Stored as a share.
void add_percent(CLI::App& command, const std::string& option, double& target,
                 const std::string& description, const NumberRange<double>& range) {
  const auto convert = [&target, option, range](const std::string& text) {
    target = parse_number<double>(option, text, range) / 100;
  };
  command.add_option_function<std::string>(option, convert, description)
      ->default_str(fmt::format("{:g}", 100 * target))
      ->type_name("PERCENT");
}

}  // namespace

void add_comparison_arguments(CLI::App& command, ComparisonArguments& arguments) {
  auto& criteria = arguments.options.criteria;
  add_percent(command, "--threshold", criteria.threshold, "Times as near as that are the same",
              {0, 1000});
  add_percent(command, "--confidence", criteria.confidence, "Of the intervals and verdicts",
              {50, 99.9999});
  command.add_option("--json", arguments.json, "Write the comparison here (vparity schema)")
      ->check(not_empty)
      ->type_name("FILE");
}

}  // namespace vparity::harness
