#include "harness/provider/plain/cuda/plain_cuda_kernels.h"

#include "device/simulated/simulated_device.h"
#include "harness/provider/plain/cuda/plain_launches.cuh"

namespace vparity::harness {

PlainCudaKernels::PlainCudaKernels(const ShardColumns& own)
    : right_(cuda::make_simulated_kernels()), own_(own) {}

void PlainCudaKernels::sum_blocks(const cuda::SumBlocks& call) {
  plain_cuda::start_sums<plain_cuda::SumSteps>(call);
}
void PlainCudaKernels::write_records(const cuda::WriteRecords& call) {
  plain_cuda::start_records<plain_cuda::RecordSteps>(call);
}
void PlainCudaKernels::write_outputs(const cuda::WriteOutputs& call) {
  plain_cuda::start_outputs<plain_cuda::OutputSteps>(call);
}
void PlainCudaKernels::find_coefficients(const cuda::FindCoefficients& call) {
  plain_cuda::start_coefficients<plain_cuda::CoefficientSteps>(call);
}
void PlainCudaKernels::write_gradient(const cuda::WriteGradient& call) {
  plain_cuda::start_gradient<plain_cuda::GradientSteps>(call);
}

void PlainCudaKernels::check_ids(const cuda::CheckIds& call) { right_->check_ids(call); }
void PlainCudaKernels::add_results(const cuda::AddResults& call) { right_->add_results(call); }
void PlainCudaKernels::find_maxima(const cuda::FindMaxima& call) { right_->find_maxima(call); }
void PlainCudaKernels::write_maxima(const cuda::WriteMaxima& call) { right_->write_maxima(call); }
void PlainCudaKernels::read_maxima(const cuda::ReadMaxima& call) { right_->read_maxima(call); }
void PlainCudaKernels::sum_on_grid(const cuda::SumOnGrid& call) { right_->sum_on_grid(call); }
void PlainCudaKernels::add_grid_blocks(const cuda::AddGridBlocks& call) {
  right_->add_grid_blocks(call);
}
void PlainCudaKernels::write_grid_outputs(const cuda::WriteGridOutputs& call) {
  right_->write_grid_outputs(call);
}
void PlainCudaKernels::copy_rows(const cuda::CopyRows& call) { right_->copy_rows(call); }
void PlainCudaKernels::read_rows(const cuda::ReadRows& call) { right_->read_rows(call); }

}  // namespace vparity::harness
