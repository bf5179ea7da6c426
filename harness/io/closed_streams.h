// Standard streams that were closed when the program started.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

/// Opens /dev/null for each of them. Otherwise the next opened file, such as the journal, would get
/// its descriptor, and printed text would be written into it. Throws std::system_error.
inline void open_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    const bool closed = ::fcntl(stream, F_GETFD) < 0;
    // open(2) takes the lowest descriptor that is free.
    if (closed && ::open("/dev/null", O_RDWR) != stream) reports::throw_errno("open", "/dev/null");
  }
}

}  // namespace vparity::harness
