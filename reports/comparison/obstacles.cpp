#include "reports/comparison/obstacles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace vparity::reports {
namespace {

using nlohmann::ordered_json;

/// The members of the fingerprint, without the build.
ordered_json surroundings_of(const Report& report) {
  ordered_json found{{"libraries", report.provenance.at("libraries")},
                     {"simd", report.provenance.at("simd")}};
  for (std::size_t i = 0; const auto& host : report.hosts) {
    auto gpus = host.at("gpus");
    for (auto& gpu : gpus) gpu.erase("uuid");
    found[fmt::format("host {}", i++)] = {{"cpu", host.at("cpu")},
                                          {"cores", host.at("cores")},
                                          {"gpus", gpus},
                                          {"environment", host.at("environment")}};
  }
  return found;
}

/// The first difference, as "/build/flags: "-O2" and "-O3"".
std::string difference(const ordered_json& one, const ordered_json& other) {
  const auto a = one.flatten(), b = other.flatten();
  const auto text = [](const ordered_json& from, const std::string& place) {
    return from.contains(place)
               ? from[place].dump(-1, ' ', false, ordered_json::error_handler_t::replace)
               : std::string("nothing");
  };
  const auto said = [&](const std::string& place) {
    return fmt::format("{}: {} and {}", place.substr(1), text(a, place), text(b, place));
  };
  for (const auto& [place, value] : a.items())
    if (!b.contains(place) || b[place] != value) return said(place);
  for (const auto& [place, value] : b.items())
    if (!a.contains(place)) return said(place);
  return {};
}

std::string differing(const Report& one, const Report& other, bool across_builds) {
  auto a = surroundings_of(one), b = surroundings_of(other);
  if (!across_builds) {
    a["build"] = one.provenance.at("build");
    b["build"] = other.provenance.at("build");
  }
  return difference(a, b);
}

}  // namespace

std::optional<Reason> other_machine(const Report& one, const Report& other, bool across_builds) {
  if (one.fingerprint == other.fingerprint) return {};
  const auto text = differing(one, other, across_builds);
  if (across_builds && text.empty()) return {};
  return Reason{"fingerprint", text.empty() ? "the fingerprints differ" : text};
}

std::optional<Reason> unusable(const CaseResult& result, const CaseResult* parity) {
  const auto& samples = result.timing().samples_s;
  if (result.status != Status::passed)
    return Reason{"not_passed", fmt::format("the case is {}", name_of(result.status))};
  if (parity != nullptr && is_failure(parity->status))
    return Reason{"parity_not_passed", "the parity case of the same id did not pass"};
  if (result.timing().oversubscribed)
    return Reason{"oversubscribed",
                  "more ranks than cores, so the times are those of the scheduler"};
  if (samples.size() < fewest_samples)
    return Reason{"too_few_samples", fmt::format("{} samples in a process, at least {} are needed",
                                                 samples.size(), fewest_samples)};
  const auto possible = [](double time) { return std::isfinite(time) && time > 0; };
  if (!std::ranges::all_of(samples, possible))
    return Reason{"impossible_times", "a time is not a positive number"};
  return {};
}

}  // namespace vparity::reports
