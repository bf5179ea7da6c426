#include "device/cuda/cuda_check.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "vparity/errors.h"

namespace vparity::cuda {
namespace {

/// Also clears the error of the thread, which the check of the next launch would see. The error of
/// a lost device stays.
std::string describe(cudaError_t code, const char* call, const char* file, int line) {
  cudaGetLastError();
  return fmt::format("{}:{}: {} failed: {}", file, line, call, text_of(code));
}

}  // namespace

std::string text_of(cudaError_t code) {
  return fmt::format("{}: {}", cudaGetErrorName(code), cudaGetErrorString(code));
}

void check_cuda(cudaError_t code, const char* call, const char* file, int line) {
  if (code != cudaSuccess) throw DeviceError(describe(code, call, file, line));
}

void log_cuda(cudaError_t code, const char* call, const char* file, int line) noexcept {
  if (code == cudaSuccess) return;
  try {
    fmt::print(stderr, "{}\n", describe(code, call, file, line));
  } catch (const std::exception&) {
    std::fputs("a CUDA call failed and its message could not be formed\n", stderr);
  }
}

}  // namespace vparity::cuda
