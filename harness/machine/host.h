// The machine a rank runs on, as it stands in a report's `hosts` (docs/report-files.md).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vparity::harness {

std::string host_name();

/// "model name" of /proc/cpuinfo; empty where the kernel does not say.
std::string cpu_model();

/// Cores this process may run on (its affinity mask, not the machine's sockets).
int usable_cores();

/// What this process may use: the machine's memory or its cgroup's limit, whichever is smaller.
std::int64_t memory_bytes();

/// Instruction sets that both this processor and this build support, best first: the first is what
/// the kernels choose.
std::vector<std::string> simd_targets();

/// {"name", "cpu", "cores", "memory_bytes", "gpus": [], "environment": {...}, "simd"}; gpus: none
/// (who uses them fills them in: gpus.h); the environment by allow-list, never whole; simd: the
/// best of simd_targets().
nlohmann::ordered_json describe_host();

}  // namespace vparity::harness
