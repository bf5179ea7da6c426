// The check around every call of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace vparity::cuda {

/// "cudaErrorNoDevice: no CUDA-capable device is detected"
std::string text_of(cudaError_t code);

/// Throws DeviceError with the call, CUDA's own text, file and line, unless `code` is cudaSuccess.
void check_cuda(cudaError_t code, const char* call, const char* file, int line);

/// The same for destructors: writes the line to standard error instead of throwing.
void log_cuda(cudaError_t code, const char* call, const char* file, int line) noexcept;

}  // namespace vparity::cuda

#define VPARITY_CUDA_CHECK(call) ::vparity::cuda::check_cuda((call), #call, __FILE__, __LINE__)
#define VPARITY_CUDA_LOG(call) ::vparity::cuda::log_cuda((call), #call, __FILE__, __LINE__)
