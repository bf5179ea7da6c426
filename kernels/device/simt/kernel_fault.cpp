#include "device/simt/kernel_fault.h"

#include <fmt/format.h>

namespace vparity::simt {

std::string to_string(language::uint3 index) {
  return fmt::format("({}, {}, {})", index.x, index.y, index.z);
}

std::string to_string(const std::source_location& where) {
  return fmt::format("{}:{}", where.file_name(), where.line());
}

KernelFault::KernelFault(const std::source_location& where, const ThreadName& who,
                         const std::string& what)
    : std::runtime_error(fmt::format("{}: block {}, thread {}: {}", to_string(where),
                                     to_string(who.block), to_string(who.thread), what)),
      where_(where),
      who_(who) {}

}  // namespace vparity::simt
