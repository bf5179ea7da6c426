// The machine a rank runs on, as it stands in a report's `hosts` (docs/report-files.md).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace vparity::harness {

std::string host_name();

/// "model name" of /proc/cpuinfo; empty where the kernel does not say.
std::string cpu_model();

/// Cores this process may run on (its affinity mask, not the machine's sockets).
int usable_cores();

/// What this process may use: the machine's memory or its cgroup's limit, whichever is smaller.
std::int64_t memory_bytes();

/// {"name", "cpu", "cores", "memory_bytes", "gpus": [], "environment": {...}}; the environment by
/// allow-list, never whole.
nlohmann::ordered_json describe_host();

}  // namespace vparity::harness
