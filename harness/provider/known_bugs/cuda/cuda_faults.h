// The faults that published CUDA kernels have had, each as a kernel set for backend cuda-sim that
// has nothing else wrong: the plain kernels of a device with one step replaced.
#pragma once

#include <span>

#include "harness/provider/known_bugs/known_fault.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

std::span<const KnownFault> known_cuda_faults();

/// Their kernel sets, in the same order.
std::span<const Provider* const> faulty_cuda_providers();

}  // namespace vparity::harness
