#include "harness/io/shell_quoted.h"

namespace vparity::harness {
namespace {

constexpr std::string_view plain_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./:=,@%";

}  // namespace

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(plain_characters) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace vparity::harness
