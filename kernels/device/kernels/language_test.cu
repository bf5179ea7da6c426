// Every CUDA function that kernel bodies may use compiles for every architecture that is shipped.
// Where there is a device, it gives the results that it gives on the CPU.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "device/kernels/intrinsics_probe.cuh"

namespace vparity::cuda {
namespace {

std::vector<float> inputs() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x{std::nanf(""), infinity, -infinity, 0.0F,     -0.0F,   0x1p63F, -0x1p63F,
                       0x1p64F,       2.5F,     3.5F,      -0.5F,    1e-40F,  -126.0F, -126.001F,
                       -150.0F,       127.9F,   128.0F,    0x1p-30F, 0x1p23F, 1.0F / 3};
  while (x.size() < probe_threads) x.push_back(-1.37F * x.back() + 0.01F);
  return x;
}

template <class T>
std::vector<T> from_device(const T* memory, std::size_t count) {
  std::vector<T> values(count);
  EXPECT_EQ(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost),
            cudaSuccess);
  return values;
}

TEST(Language, GivesTheSameResultsOnADeviceAsOnTheCpu) {
  ProbeTotals expected_totals{};
  const std::vector<float> x = inputs();
  const ProbeResults expected = probe_intrinsics_on_cpu(x, expected_totals);
  EXPECT_EQ(expected_totals.added, 63 * 32);

  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "no device";
  float *input = nullptr, *powers = nullptr;
  unsigned long long* results = nullptr;
  ProbeTotals* totals = nullptr;
  const std::size_t result_bytes = expected.results.size() * sizeof *results;
  ASSERT_EQ(cudaMalloc(&input, x.size() * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&powers, x.size() * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&results, result_bytes), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&totals, sizeof *totals), cudaSuccess);
  cudaMemset(results, 0, result_bytes);
  cudaMemset(totals, 0, sizeof *totals);
  cudaMemcpy(input, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  probe_intrinsics<<<1, probe_threads>>>(input, results, powers, totals);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

  const auto got = from_device(results, expected.results.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i], expected.results[i])
        << "thread " << i / probe_results << ", result " << i % probe_results;
  }
  const auto got_powers = from_device(powers, x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float power = expected.powers[i];
    if (std::isnan(power) || std::isinf(power) || power == 0) {
      EXPECT_EQ(std::isnan(got_powers[i]), std::isnan(power)) << x[i];
      if (!std::isnan(power)) EXPECT_EQ(got_powers[i], power) << x[i];
    } else {
      EXPECT_NEAR(got_powers[i], power, 2 * 0x1p-23 * power) << x[i];
    }
  }
  const ProbeTotals got_totals = from_device(totals, 1)[0];
  EXPECT_EQ(got_totals.added, expected_totals.added);
  EXPECT_EQ(got_totals.largest, expected_totals.largest);
  EXPECT_EQ(got_totals.smallest, expected_totals.smallest);
  EXPECT_EQ(got_totals.exchanged, expected_totals.exchanged);
  EXPECT_EQ(got_totals.swapped, expected_totals.swapped);
  EXPECT_EQ(got_totals.wide, expected_totals.wide);
  EXPECT_EQ(got_totals.real, expected_totals.real);
  EXPECT_EQ(got_totals.precise, expected_totals.precise);
  for (void* memory : {static_cast<void*>(input), static_cast<void*>(powers),
                       static_cast<void*>(results), static_cast<void*>(totals)}) {
    cudaFree(memory);
  }
}

}  // namespace
}  // namespace vparity::cuda
