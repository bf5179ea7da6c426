// The program `vparity`, for a list of providers.
#pragma once

#include <span>

#include "harness/provider/registry/registry.h"

namespace vparity::harness {

/// Runs the command line; returns the exit code. The program knows `providers`, which are borrowed.
int program_main(int argc, char** argv, std::span<const Provider* const> providers);

}  // namespace vparity::harness
