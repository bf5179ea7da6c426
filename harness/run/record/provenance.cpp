#include "harness/run/record/provenance.h"

#include <algorithm>

#include "harness/case/sha256.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;

ordered_json git_json(const std::optional<GitState>& git) {
  if (!git) return {{"revision", nullptr}, {"dirty", nullptr}};
  return {{"revision", git->revision}, {"dirty", git->dirty}};
}

bool same_but_for_gpus(ordered_json one, ordered_json other) {
  one.erase("gpus");
  other.erase("gpus");
  return one == other;
}

/// GPUs are named by the jobs alone that use them.
void add_host(ordered_json& hosts, const ordered_json& host) {
  const auto known = std::ranges::find_if(
      hosts, [&](const ordered_json& one) { return same_but_for_gpus(one, host); });
  if (known == hosts.end())
    hosts.push_back(host);
  else if (known->at("gpus").empty())
    *known = host;
}

/// What decides how fast they are; not which ones of their kind they are.
ordered_json without_ids(ordered_json gpus) {
  for (ordered_json& gpu : gpus) gpu.erase("uuid");
  return gpus;
}

}  // namespace

void RankDescriptions::add(const nlohmann::json& ready) {
  ordered_json host = ready.at("host");
  simd = host.at("simd").get<std::string>();
  host.erase("simd");
  add_host(hosts, host);
  if (const auto mpi = ready.value("mpi", std::string()); !mpi.empty()) libraries["mpi"] = mpi;
  libraries.update(ready.value("libraries", nlohmann::json::object()));
}

ordered_json provenance_of(const BuildInfo& build, const RankDescriptions& ranks) {
  return {{"version", build.version},
          {"git", git_json(build.git)},
          {"build", {{"type", build.type}, {"compiler", build.compiler}, {"flags", build.flags}}},
          {"libraries", ranks.libraries},
          {"simd", ranks.simd}};
}

std::string fingerprint_of(const ordered_json& provenance, const ordered_json& hosts) {
  ordered_json relevant{{"build", provenance.at("build")},
                        {"libraries", provenance.at("libraries")},
                        {"simd", provenance.at("simd")},
                        {"hosts", ordered_json::array()}};
  for (const auto& host : hosts) {
    relevant["hosts"].push_back({{"cpu", host.at("cpu")},
                                 {"cores", host.at("cores")},
                                 {"gpus", without_ids(host.at("gpus"))},
                                 {"environment", host.at("environment")}});
  }
  constexpr std::size_t digits = 16;
  // With sorted members: a report that was read back has the fingerprint it was written with.
  return sha256_hex(nlohmann::json(relevant).dump()).substr(0, digits);
}

}  // namespace vparity::harness
