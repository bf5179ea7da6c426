// Runs a kernel on this thread of the CPU, one fiber per CUDA thread. For tests: what it shows and
// what it cannot is said in docs/cuda.md.
#pragma once

#include <cstdint>
#include <optional>

#include "device/simt/kernel_fault.h"
#include "device/simt/vector_types.h"

namespace vparity::simt {

using language::dim3;

/// In which order the threads of a block that can run are run. A right kernel does not notice.
struct Order {
  enum Kind { ascending, descending, shuffled } kind = ascending;
  std::uint64_t seed = 0;  // of `shuffled`
};

struct LaunchOptions {
  /// If not given: each of the three in turn, from launch to launch of this CPU thread.
  std::optional<Order> order;
};

namespace detail {

/// A callable that somebody else keeps.
struct Body {
  void* object;
  void (*call)(void* object);
};

void launch(dim3 grid, dim3 block, Body body, const LaunchOptions& options);

}  // namespace detail

/// Calls `body` once per CUDA thread; blocks run one after another. Throws KernelFault for what
/// CUDA leaves undefined, and what `body` throws; std::invalid_argument for a grid or block that a
/// device would not take; std::logic_error inside a kernel.
template <class Callable>
void launch(dim3 grid, dim3 block, Callable&& body, const LaunchOptions& options = {}) {
  auto* object = &body;
  detail::launch(grid, block,
                 {const_cast<void*>(static_cast<const void*>(object)),
                  [](void* callable) { (*static_cast<decltype(object)>(callable))(); }},
                 options);
}

}  // namespace vparity::simt
