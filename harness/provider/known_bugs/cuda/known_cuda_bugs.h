// The bugs that published CUDA kernels have had, each as a provider for backend cuda-sim that
// has nothing else wrong: the plain kernels of a device with one step replaced.
#pragma once

#include <span>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

std::span<const KnownBug> known_cuda_bugs();

/// Their providers, in the same order.
std::span<const Provider* const> known_cuda_bug_providers();

}  // namespace vparity::harness
