// The kernel and the number of blocks for each call of Kernels. Devices and the CPU share this;
// they differ in how a kernel is started.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/kernels/block_sums.cuh"
#include "device/kernels/copy_rows.cuh"
#include "device/kernels/gradient.cuh"
#include "device/kernels/kernels.h"
#include "device/kernels/reproducible.cuh"
#include "device/kernels/row_outputs.cuh"
#include "device/kernels/tiles.cuh"

namespace vparity::cuda {

template <DType kType>
struct OfType {
  static constexpr DType type = kType;
};
template <bool kValue>
struct Flag {
  static constexpr bool value = kValue;
};

/// Calls body(OfType<dtype>()).
template <class Body>
void with_type(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::fp32:
      return body(OfType<DType::fp32>());
    case DType::bf16:
      return body(OfType<DType::bf16>());
    case DType::fp16:
      return body(OfType<DType::fp16>());
  }
}

/// Calls body(Flag<value>()).
template <class Body>
void with_flag(bool value, Body&& body) {
  value ? body(Flag<true>()) : body(Flag<false>());
}

/// Calls body(logits type, gradient type): the logits' own, or fp32.
template <class Body>
void with_types(DType logits, DType gradient, Body&& body) {
  with_type(logits, [&](auto from) {
    if (gradient == decltype(from)::type) {
      body(from, from);
    } else {
      body(from, OfType<DType::fp32>());
    }
  });
}

/// Blocks for kernels with one thread per row, and for kernels with one block per tile.
inline std::int64_t row_blocks(std::int64_t rows) {
  return (rows + threads_per_block - 1) / threads_per_block;
}
inline std::int64_t tiles_of(const Logits& logits) {
  return logits.rows * blocks_of(logits.columns);
}
inline std::int64_t tiles_of(const WriteGradient& call) {
  return call.logits.rows * blocks_of(call.gradient.width);
}

/// `Launcher` has start(kernel, blocks, call), which starts `blocks` blocks of threads_per_block
/// threads. It may start fewer blocks, because every kernel loops over its grid.
template <class Launcher>
class LaunchedKernels final : public Kernels {
 public:
  explicit LaunchedKernels(Launcher launcher) : launcher_(launcher) {}

  void check_ids(const CheckIds& call) override {
    start(check_ids_kernel, row_blocks(call.rows), call);
  }
  void sum_blocks(const SumBlocks& call) override {
    with_type(call.logits.dtype, [&](auto type) {
      with_flag(call.transform.softcap != 0, [&](auto capped) {
        with_flag(call.with_a, [&](auto with_a) {
          start(sum_blocks_kernel<type.type, capped.value, with_a.value>, tiles_of(call.logits),
                call);
        });
      });
    });
  }

  void write_records(const WriteRecords& call) override {
    with_type(call.logits.dtype, [&](auto type) {
      start(write_records_kernel<type.type>, row_blocks(call.logits.rows), call);
    });
  }
  void write_outputs(const WriteOutputs& call) override {
    start(write_outputs_kernel, row_blocks(call.rows), call);
  }
  void add_results(const AddResults& call) override { start(add_results_kernel, 1, call); }

  void find_maxima(const FindMaxima& call) override {
    with_type(call.logits.dtype, [&](auto type) {
      start(find_maxima_kernel<type.type>, tiles_of(call.logits), call);
    });
  }
  void write_maxima(const WriteMaxima& call) override {
    with_type(call.logits.dtype, [&](auto type) {
      start(write_maxima_kernel<type.type>, row_blocks(call.logits.rows), call);
    });
  }
  void read_maxima(const ReadMaxima& call) override {
    start(read_maxima_kernel, row_blocks(call.rows), call);
  }
  void sum_on_grid(const SumOnGrid& call) override {
    with_type(call.logits.dtype, [&](auto type) {
      with_flag(call.transform.softcap != 0, [&](auto capped) {
        start(sum_on_grid_kernel<type.type, capped.value>, tiles_of(call.logits), call);
      });
    });
  }
  void add_grid_blocks(const AddGridBlocks& call) override {
    start(add_grid_blocks_kernel, row_blocks(call.rows), call);
  }
  void write_grid_outputs(const WriteGridOutputs& call) override {
    start(write_grid_outputs_kernel, row_blocks(call.rows), call);
  }

  void find_coefficients(const FindCoefficients& call) override {
    with_type(call.logits.dtype, [&](auto type) {
      start(find_coefficients_kernel<type.type>, row_blocks(call.logits.rows), call);
    });
  }
  void write_gradient(const WriteGradient& call) override {
    const std::int64_t tiles = tiles_of(call);
    with_types(call.logits.dtype, call.gradient.dtype, [&](auto from, auto to) {
      with_flag(call.transform.softcap != 0, [&](auto capped) {
        if (call.transform.reproducible) {
          start(write_gradient_kernel<from.type, to.type, ReproducibleDifferential, capped.value>,
                tiles, call);
        } else {
          start(write_gradient_kernel<from.type, to.type, Differential, capped.value>, tiles, call);
        }
      });
    });
  }

  void copy_rows(const CopyRows& call) override {
    with_type(call.dtype, [&](auto type) {
      start(copy_rows_kernel<type.type>, call.rows * blocks_of(call.columns), call);
    });
  }
  void read_rows(const ReadRows& call) override {
    with_type(call.dtype, [&](auto type) {
      start(read_rows_kernel<type.type>, call.rows * blocks_of(call.columns), call);
    });
  }

 private:
  /// An empty grid is an error on a device.
  template <class Kernel, class Call>
  void start(Kernel kernel, std::int64_t blocks, const Call& call) {
    if (blocks > 0) launcher_.start(kernel, blocks, call);
  }

  Launcher launcher_;
};

}  // namespace vparity::cuda
