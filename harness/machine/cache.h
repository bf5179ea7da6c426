// The processor's caches.
#pragma once

#include <cstdint>
#include <filesystem>

namespace vparity::harness {

/// Bytes of the largest cache level that holds data, by the folders index* of `cpu_caches` or else
/// by sysconf; 0 if neither knows. A virtual machine may report more than its share of the cache.
std::int64_t last_level_cache_bytes(
    const std::filesystem::path& cpu_caches = "/sys/devices/system/cpu/cpu0/cache");

}  // namespace vparity::harness
