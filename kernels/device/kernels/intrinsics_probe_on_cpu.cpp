#include "device/kernels/intrinsics_probe.cuh"
#include "device/simt/launch.h"

namespace vparity::cuda {

ProbeResults probe_intrinsics_on_cpu(const std::vector<float>& x, ProbeTotals& totals) {
  ProbeResults out;
  out.results.resize(probe_threads * probe_results);
  out.powers.resize(probe_threads);
  simt::launch(1, probe_threads,
               [&] { probe_intrinsics(x.data(), out.results.data(), out.powers.data(), &totals); });
  return out;
}

}  // namespace vparity::cuda
