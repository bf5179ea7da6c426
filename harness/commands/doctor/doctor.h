// What `vparity doctor` finds out, as JSON and as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vparity::harness {

/// Looks at the machine, measures its memory bandwidth for about a second, and starts two ranks
/// with each launcher. Members: version, build, host, cores, simd, bandwidth, mpi, launch, cuda,
/// nccl (docs/command-line.md).
nlohmann::ordered_json examine_machine();

/// Aligned plain text, one fact per line.
std::string examination_text(const nlohmann::ordered_json& examination);

/// Whether `vparity run` without options can start ranks here.
bool can_run(const nlohmann::ordered_json& examination);

}  // namespace vparity::harness
