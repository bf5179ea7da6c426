// Words of commands that a user is to paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace vparity::harness {

/// One word for a POSIX shell: as it is if no character needs quoting, else in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace vparity::harness
