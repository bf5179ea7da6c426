// What a job on GPUs runs with.
#pragma once

#include <nlohmann/json.hpp>

namespace vparity::harness {

/// Versions by name, of those that are there: cuda (the runtime of this build), driver (the newest
/// CUDA that it supports), nccl (the library that is loaded).
nlohmann::ordered_json gpu_libraries();

}  // namespace vparity::harness
