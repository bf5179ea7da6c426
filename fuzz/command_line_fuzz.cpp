// Command lines, one argument per line: understood, or refused with a message. Nothing is run.
#include <cstddef>
#include <cstdint>
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
    else if (data[i] != '\0')  // no argument can hold one
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
  try {
    program.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const UsageError&) {
  }
  return 0;
}
