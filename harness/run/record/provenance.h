// Where a report's figures come from.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/machine/build_info.h"

namespace vparity::harness {

/// What the ranks of a run said about themselves (the events "ready").
struct RankDescriptions {
  nlohmann::ordered_json hosts = nlohmann::ordered_json::array();  ///< each once
  nlohmann::ordered_json libraries = nlohmann::ordered_json::object();
  nlohmann::ordered_json simd;  ///< null until a rank has said

  void add(const nlohmann::json& ready);
};

/// `provenance` of a report.
nlohmann::ordered_json provenance_of(const BuildInfo& build, const RankDescriptions& ranks);

/// 16 hex digits over what decides how fast the kernels are: processors, devices, environment,
/// compiler, flags, libraries, instruction set. Neither names nor revisions are in it, so that two
/// commits on one machine can be compared.
std::string fingerprint_of(const nlohmann::ordered_json& provenance,
                           const nlohmann::ordered_json& hosts);

}  // namespace vparity::harness
