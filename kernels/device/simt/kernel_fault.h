// The error for undefined behaviour of a kernel.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

#include "device/simt/builtins.h"

namespace vparity::simt {

/// A thread and its block.
struct ThreadName {
  language::uint3 block, thread;
};

/// "(x, y, z)"
std::string to_string(language::uint3 index);

/// "file:line"
std::string to_string(const std::source_location& where);

class KernelFault : public std::runtime_error {
 public:
  KernelFault(const std::source_location& where, const ThreadName& who, const std::string& what);

  const char* file() const { return where_.file_name(); }
  unsigned line() const { return where_.line(); }
  language::uint3 block() const { return who_.block; }
  language::uint3 thread() const { return who_.thread; }

 private:
  std::source_location where_;
  ThreadName who_;
};

}  // namespace vparity::simt
