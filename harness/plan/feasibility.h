// Whether this machine and this build can run a case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/case/parameters.h"
#include "harness/machine/gpus.h"
#include "reports/model/model.h"

namespace vparity::harness {

struct RunLimits {
  std::optional<int> max_ranks;
  std::int64_t available_memory = 0;  ///< bytes
  Gpus gpus = {};                     ///< looked at by cases of backend cuda alone
};

/// Bytes that this machine can give to new processes now, or its cgroup's limit if that is less.
std::int64_t available_memory();

/// Largest share of the available memory for a run. The rest is for memory that the estimate leaves
/// out.
inline constexpr double usable_memory_share = 0.8;

/// Why the case has to be skipped, by code: not_built, no_device, not_offered, max_ranks, memory.
/// Nothing if it can run.
std::optional<reports::Reason> reason_to_skip(const CaseParameters& parameters,
                                              reports::Measure measure, const RunLimits& limits);

/// What `--backend auto` takes, and a line that says so and why.
struct BackendChoice {
  Backend backend = Backend::cpu;
  std::string text;
};
BackendChoice fastest_backend(const Gpus& gpus);

/// The reason (code memory) if `needed` bytes are too many; nothing if they fit.
std::optional<reports::Reason> too_much_memory(std::int64_t needed, const RunLimits& limits);

}  // namespace vparity::harness
