// Standard streams that whoever started the program has closed.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

/// Opens /dev/null in their place. Else the next files that are opened, such as a journal, would
/// stand there, and get what is meant to be read. Throws std::system_error.
inline void open_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    const bool closed = ::fcntl(stream, F_GETFD) < 0;
    // open(2) takes the lowest descriptor that is free.
    if (closed && ::open("/dev/null", O_RDWR) != stream) reports::throw_errno("open", "/dev/null");
  }
}

}  // namespace vparity::harness
