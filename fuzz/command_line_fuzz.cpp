// Command lines, an argument per line: understood, or refused in words. Nothing is run.
#include <string>
#include <vector>

#include "harness/commands/command_line/program.h"
#include "harness/io/usage_error.h"

using namespace vparity::harness;

namespace {

std::vector<std::string> lines(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> found{"vparity"};
  std::string* line = nullptr;
  for (std::size_t i = 0; i < size; ++i) {
    if (line == nullptr) line = &found.emplace_back();
    if (data[i] == '\n')
      line = nullptr;
    else if (data[i] != '\0')  // which no argument can hold
      line->push_back(static_cast<char>(data[i]));
  }
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto arguments = lines(data, size);
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  Program program;
  for (CLI::App* command : program.commands())
    command->parse_complete_callback([] { throw CLI::Success(); });
  try {
    program.run(static_cast<int>(argv.size()), argv.data());
  } catch (const UsageError&) {
  }
  return 0;
}
