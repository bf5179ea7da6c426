// What `vparity doctor` finds out, and how it says so.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vparity::harness {

/// Looks at the machine, measures its memory for about a second, and starts two ranks by each
/// launcher there is. Members: version, build, host, cores, simd, bandwidth, mpi, launch, cuda,
/// nccl (docs/command-line.md).
nlohmann::ordered_json examine_machine();

/// Aligned plain text, a line per fact.
std::string examination_text(const nlohmann::ordered_json& examination);

/// Whether `vparity run` can start ranks here as it would without options.
bool can_run(const nlohmann::ordered_json& examination);

}  // namespace vparity::harness
