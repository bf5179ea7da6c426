#include "harness/plan/feasibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "harness/case/axes.h"
#include "harness/machine/host.h"
#include "harness/plan/memory_estimate.h"
#include "harness/provider/registry/registry.h"

namespace vparity::harness {
namespace {

using reports::Reason;

std::string value_of(const CaseParameters& parameters, const char* axis) {
  return fmt::format("{} {}", axis, axis_value(parameters, axis).get<std::string>());
}

/// A case whose kernels ran elsewhere than its key says would be a lie.
bool has_kernels(const std::string& provider, Backend backend) {
  const Provider* const found = find_provider(provider);
  return found != nullptr && found->runs_on(backend);
}

std::optional<Reason> missing_device(const CaseParameters& p, const Gpus& gpus) {
  if (p.backend != Backend::cuda) return std::nullopt;
  if (!gpus.built_with_cuda) return Reason{"not_built", "backend cuda: " + gpus.reason};
  if (gpus.count == 0) return Reason{"no_device", "backend cuda: " + gpus.reason};
  return std::nullopt;
}

std::optional<Reason> missing_transport(const CaseParameters& p, const Gpus& gpus) {
  if (p.transport != Transport::nccl) return std::nullopt;
  if (p.backend != Backend::cuda)
    return Reason{"not_offered", fmt::format("transport nccl is between GPUs, and not for {}",
                                             value_of(p, "backend"))};
  if (!gpus.built_with_nccl) return Reason{"not_built", "transport nccl: this build has no NCCL"};
  if (gpus.count >= p.world()) return std::nullopt;
  return Reason{"no_device",
                fmt::format("transport nccl: needs a GPU for each of {} ranks, there {} {}",
                            p.world(), gpus.count == 1 ? "is" : "are", gpus.count)};
}

std::optional<Reason> missing_kernels(const CaseParameters& p) {
  if (has_kernels(p.provider, p.backend)) return std::nullopt;
  return Reason{"not_offered", fmt::format("{}: {} has no kernels for it", value_of(p, "backend"),
                                           value_of(p, "provider"))};
}

std::optional<Reason> missing_part(const CaseParameters& p, reports::Measure measure,
                                   const Gpus& gpus) {
  if (p.backend == Backend::cuda_sim && measure == reports::Measure::throughput)
    return Reason{"not_offered", "backend cuda-sim: a simulated device has no speed to measure"};
  if (auto reason = missing_device(p, gpus)) return reason;
  if (auto reason = missing_transport(p, gpus)) return reason;
  return missing_kernels(p);
}

std::optional<Reason> too_many_ranks(const CaseParameters& p, const RunLimits& limits) {
  if (!limits.max_ranks || p.world() <= *limits.max_ranks) return std::nullopt;
  return Reason{"max_ranks",
                fmt::format("needs {} ranks, --max-ranks is {}", p.world(), *limits.max_ranks)};
}

}  // namespace

BackendChoice fastest_backend(const Gpus& gpus) {
  CaseParameters cuda;
  cuda.backend = Backend::cuda;
  if (const auto reason = missing_part(cuda, reports::Measure::parity, gpus))
    return {Backend::cpu, fmt::format("--backend auto: runs on cpu ({})", reason->text)};
  return {Backend::cuda, fmt::format("--backend auto: runs on cuda ({} GPU{})", gpus.count,
                                     gpus.count == 1 ? "" : "s")};
}

std::optional<Reason> too_much_memory(std::int64_t needed, const RunLimits& limits) {
  const double usable = usable_memory_share * static_cast<double>(limits.available_memory);
  if (static_cast<double>(needed) <= usable) return std::nullopt;
  return Reason{"memory", fmt::format("needs {}, of the {} available {:.0f} % may be used",
                                      bytes_text(needed), bytes_text(limits.available_memory),
                                      100 * usable_memory_share)};
}

std::int64_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string name; meminfo >> name; meminfo.ignore(256, '\n')) {
    std::int64_t kibibytes = 0;
    if (name == "MemAvailable:" && meminfo >> kibibytes)
      return std::min(kibibytes << 10, memory_bytes());
  }
  return memory_bytes();
}

std::optional<Reason> reason_to_skip(const CaseParameters& parameters, reports::Measure measure,
                                     const RunLimits& limits) {
  if (auto reason = missing_part(parameters, measure, limits.gpus)) return reason;
  if (auto reason = too_many_ranks(parameters, limits)) return reason;
  return too_much_memory(estimate_memory(parameters).all_ranks, limits);
}

}  // namespace vparity::harness
