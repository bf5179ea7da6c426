// The program `vparity-worker`, for a list of providers.
#pragma once

#include <span>

#include "harness/provider/registry/registry.h"

namespace vparity::harness {

/// Runs the ranks of one job; returns the exit code. The ranks know `providers`, which are
/// borrowed.
int worker_main(int argc, char** argv, std::span<const Provider* const> providers);

}  // namespace vparity::harness
