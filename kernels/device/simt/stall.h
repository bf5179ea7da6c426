// Why no thread of a block can go on.
#pragma once

#include <span>

#include "device/simt/kernel_fault.h"
#include "device/simt/request.h"

namespace vparity::simt {

/// One thread of a block, as the others see it.
struct Thread {
  language::uint3 index{};
  Request* request = nullptr;  // what it waits for
  bool begun = false;
  bool exited = false;
};

inline constexpr unsigned kWarp = 32;

/// The fault of a block in which every thread waits or has exited, and at least one waits.
KernelFault explain_stall(std::span<const Thread> threads, language::uint3 block);

}  // namespace vparity::simt
