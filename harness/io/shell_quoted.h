// Arguments of commands that a user pastes into a shell.
#pragma once

#include <string>
#include <string_view>

namespace vparity::harness {

/// One argument for a POSIX shell: unchanged if no character needs quoting, else in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace vparity::harness
