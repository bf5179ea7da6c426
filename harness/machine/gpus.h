// The GPUs of this machine, as far as this build can use them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vparity::harness {

struct Gpus {
  bool built_with_cuda = false;
  bool built_with_nccl = false;
  int count = 0;       ///< that this process can use
  std::string reason;  ///< why there is none; empty where there is one
};

/// What this build was made with, and how many GPUs the driver finds. Starts the driver for this
/// process, which takes a moment where there is one.
Gpus find_gpus();

/// A report's hosts[].gpus: of each GPU {"name", "uuid", "memory_bytes", "clocks": {"core_mhz",
/// "memory_mhz"}}. Empty where find_gpus() finds none.
nlohmann::ordered_json describe_gpus();

/// {"runtime": "13.0", "driver": "12.8"}: the CUDA version of this build and the newest that the
/// driver supports; null without CUDA, without a driver.
nlohmann::ordered_json cuda_libraries();

}  // namespace vparity::harness
