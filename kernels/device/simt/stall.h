// Explains why no thread of a block can continue.
#pragma once

#include <span>

#include "device/simt/kernel_fault.h"
#include "device/simt/request.h"

namespace vparity::simt {

/// The state of one thread of a block.
struct Thread {
  language::uint3 index{};
  Request* request = nullptr;  // the operation it waits in
  bool begun = false;
  bool exited = false;
};

inline constexpr unsigned kWarp = 32;

/// The KernelFault of a block in which every thread waits or has exited, and at least one waits.
KernelFault explain_stall(std::span<const Thread> threads, language::uint3 block);

}  // namespace vparity::simt
