// Starts the plain kernels with given steps.
#pragma once

#include <cstdint>

#include "device/kernels/launches.cuh"
#include "device/simulated/simulated_launcher.h"
#include "harness/provider/plain/cuda/plain_gradient.cuh"
#include "harness/provider/plain/cuda/plain_rows.cuh"
#include "harness/provider/plain/cuda/plain_sums.cuh"

namespace vparity::harness::plain_cuda {

/// An empty grid is an error on a device.
template <class Kernel, class Call>
void start(Kernel kernel, std::int64_t blocks, const Call& call) {
  if (blocks > 0) cuda::SimulatedLauncher().start(kernel, blocks, call);
}

template <class Steps>
void start_sums(const cuda::SumBlocks& call) {
  cuda::with_type(call.logits.dtype, [&](auto type) {
    start(sums_kernel<type.type, Steps>, cuda::tiles_of(call.logits), call);
  });
}

template <class Steps>
void start_records(const cuda::WriteRecords& call) {
  cuda::with_type(call.logits.dtype, [&](auto type) {
    start(records_kernel<type.type, Steps>, cuda::row_blocks(call.logits.rows), call);
  });
}

template <class Steps>
void start_outputs(const cuda::WriteOutputs& call) {
  start(outputs_kernel<Steps>, cuda::row_blocks(call.rows), call);
}

template <class Steps>
void start_coefficients(const cuda::FindCoefficients& call) {
  cuda::with_type(call.logits.dtype, [&](auto type) {
    start(coefficients_kernel<type.type, Steps>, cuda::row_blocks(call.logits.rows), call);
  });
}

template <class Steps>
void start_gradient(const cuda::WriteGradient& call) {
  cuda::with_types(call.logits.dtype, call.gradient.dtype, [&](auto from, auto to) {
    start(gradient_kernel<from.type, to.type, Steps>, cuda::tiles_of(call), call);
  });
}

}  // namespace vparity::harness::plain_cuda
