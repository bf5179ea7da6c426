// The plain kernels on a simulated device: the device's pipeline (mode `fast`) with kernels that
// are written to be read. The CUDA kernels with a known bug deviate from it in one call each.
#pragma once

#include <cstdint>
#include <memory>

#include "device/kernels/kernels.h"
#include "vparity/placement.h"

namespace vparity::harness {

class PlainCudaKernels : public cuda::Kernels {
 public:
  /// `own`: this rank's columns.
  explicit PlainCudaKernels(const ShardColumns& own);

  void check_ids(const cuda::CheckIds& call) override;
  void sum_blocks(const cuda::SumBlocks& call) override;
  void write_records(const cuda::WriteRecords& call) override;
  void write_outputs(const cuda::WriteOutputs& call) override;
  void add_results(const cuda::AddResults& call) override;
  void find_coefficients(const cuda::FindCoefficients& call) override;
  void write_gradient(const cuda::WriteGradient& call) override;

  // Of modes that these kernels do not have.
  void find_maxima(const cuda::FindMaxima& call) override;
  void write_maxima(const cuda::WriteMaxima& call) override;
  void read_maxima(const cuda::ReadMaxima& call) override;
  void sum_on_grid(const cuda::SumOnGrid& call) override;
  void add_grid_blocks(const cuda::AddGridBlocks& call) override;
  void write_grid_outputs(const cuda::WriteGridOutputs& call) override;
  void copy_rows(const cuda::CopyRows& call) override;

  void read_rows(const cuda::ReadRows& call) override;

 protected:
  const ShardColumns& own() const { return own_; }

 private:
  std::unique_ptr<cuda::Kernels> right_;
  ShardColumns own_;
};

}  // namespace vparity::harness
