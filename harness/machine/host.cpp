#include "harness/machine/host.h"

#include <hwy/highway.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

namespace vparity::harness {
namespace {

// What changes results or speed. Exact names only: a prefix would let addresses and tokens through.
constexpr std::array recorded_environment{"CUDA_VISIBLE_DEVICES",
                                          "GOMP_CPU_AFFINITY",
                                          "HWY_DISABLED_TARGETS",
                                          "LD_PRELOAD",
                                          "MALLOC_ARENA_MAX",
                                          "MPICH_ASYNC_PROGRESS",
                                          "MPICH_CVAR_ENABLE_GPU",
                                          "NCCL_ALGO",
                                          "NCCL_DEBUG",
                                          "NCCL_P2P_DISABLE",
                                          "NCCL_PROTO",
                                          "OMPI_MCA_btl",
                                          "OMPI_MCA_coll",
                                          "OMPI_MCA_pml",
                                          "OMPI_MCA_hwloc_base_binding_policy",
                                          "OMP_NUM_THREADS",
                                          "OMP_PLACES",
                                          "OMP_PROC_BIND",
                                          "OMPI_MCA_mpi_yield_when_idle"};

nlohmann::ordered_json environment() {
  auto recorded = nlohmann::ordered_json::object();
  for (const auto* name : recorded_environment) {
    if (const char* value = std::getenv(name)) recorded[name] = value;
  }
  return recorded;
}

// A container sees its own cgroup as the root; the file holds "max" where there is no limit.
std::int64_t cgroup_memory_limit(std::int64_t unlimited) {
  std::int64_t limit = 0;
  std::ifstream file("/sys/fs/cgroup/memory.max");
  return file >> limit ? limit : unlimited;
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::string cpu_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

std::int64_t memory_bytes() {
  const std::int64_t machine =
      static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return std::min(machine, cgroup_memory_limit(machine));
}

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  // Highway numbers its targets so that a better one has a lower bit.
  for (std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0;
       targets &= targets - 1)
    names.emplace_back(hwy::TargetName(targets & -targets));
  return names;
}

nlohmann::ordered_json describe_host() {
  return {{"name", host_name()},
          {"cpu", cpu_model()},
          {"cores", usable_cores()},
          {"memory_bytes", memory_bytes()},
          {"gpus", nlohmann::ordered_json::array()},
          {"environment", environment()},
          {"simd", simd_targets().front()}};
}

}  // namespace vparity::harness
