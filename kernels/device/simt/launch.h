// Runs a kernel on this thread of the CPU, one fiber per CUDA thread. For tests; docs/cuda.md says
// what it can show and what it cannot.
#pragma once

#include <cstdint>
#include <optional>

#include "device/simt/builtins.h"
#include "device/simt/kernel_fault.h"

namespace vparity::simt {

using language::dim3;

/// The order in which the threads of a block run. A correct kernel does not depend on it.
struct Order {
  enum Kind { ascending, descending, shuffled } kind = ascending;
  std::uint64_t seed = 0;  // of `shuffled`
};

struct LaunchOptions {
  /// By default the three kinds take turns, from launch to launch of this CPU thread.
  std::optional<Order> order;
};

namespace detail {

/// A callable that is not owned.
struct Body {
  void* object;
  void (*call)(void* object);
};

void launch(dim3 grid, dim3 block, Body body, const LaunchOptions& options);

}  // namespace detail

/// Calls `body` once per CUDA thread; blocks run one after another. Throws KernelFault for
/// undefined behaviour, std::invalid_argument for a grid or block that a device would not accept,
/// and std::logic_error inside a kernel. Passes on exceptions of `body`.
template <class Callable>
void launch(dim3 grid, dim3 block, Callable&& body, const LaunchOptions& options = {}) {
  auto* object = &body;
  detail::launch(grid, block,
                 {const_cast<void*>(static_cast<const void*>(object)),
                  [](void* callable) { (*static_cast<decltype(object)>(callable))(); }},
                 options);
}

}  // namespace vparity::simt
