// The elementary functions of mode `reproducible` have the bits of the host on a device. Compiled
// where there is a CUDA compiler, run where there is a device.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "reproducible/elementary_functions.h"

static_assert(__cplusplus >= 202002L,
              "CMake 3.25 leaves the request for C++20 out (cmake/VparityCuda.cmake)");

namespace vparity::cuda {
namespace {

/// The results for one number.
struct Results {
  float exp;
  double expm1, exp_of_double, tanh, slope, log;
};

VPARITY_HOST_DEVICE Results results_of(double x) {
  Results results;
  memset(&results, 0, sizeof results);  // padding is compared too
  results.exp = reproducible::exp(static_cast<float>(x > 88 ? 88 : x));
  results.expm1 = reproducible::expm1(x);
  results.exp_of_double = reproducible::exp(x);
  const auto tanh = reproducible::tanh(x);
  results.tanh = tanh.value;
  results.slope = tanh.slope;
  results.log = reproducible::log(x < 0 ? 1 - x : 1 + x);
  return results;
}

__global__ void compute(const double* x, int count, Results* results) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) results[i] = results_of(x[i]);
}

std::vector<double> magnitudes() {
  std::vector<double> values{0.0, -0.0};
  for (double x = 1e-12; x < 700; x *= 1.0003) values.insert(values.end(), {x, -x});
  return values;
}

TEST(ElementaryFunctions, HaveTheBitsOfTheHostOnADevice) {
  const std::vector<double> x = magnitudes();
  const int count = static_cast<int>(x.size());
  double* input = nullptr;
  Results* output = nullptr;
  ASSERT_EQ(cudaMallocManaged(&input, x.size() * sizeof(double)), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&output, x.size() * sizeof(Results)), cudaSuccess);
  std::memcpy(input, x.data(), x.size() * sizeof(double));
  compute<<<(count + 255) / 256, 256>>>(input, count, output);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < count; ++i) {
    const Results expected = results_of(x[static_cast<std::size_t>(i)]);
    ASSERT_EQ(std::memcmp(&output[i], &expected, sizeof expected), 0)
        << x[static_cast<std::size_t>(i)];
  }
  cudaFree(input);
  cudaFree(output);
}

}  // namespace
}  // namespace vparity::cuda
