// What a user or a program behind a pipe reads.
#pragma once

#include <cstdio>
#include <string_view>

namespace vparity::harness {

/// Does not throw as fmt::print does: a reader that went away must not end a run. The stream keeps
/// its error, which main() makes an exit code.
inline void print_out(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace vparity::harness
