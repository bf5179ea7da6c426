#include "harness/commands/command_line/command_line.h"

#include <fstream>

namespace vparity::harness {

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace vparity::harness
