#include "harness/plan/feasibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "harness/case/axes.h"
#include "harness/host/host.h"
#include "harness/plan/bytes_text.h"
#include "harness/plan/memory_estimate.h"

namespace vparity::harness {
namespace {

using reports::Reason;

std::string value_of(const CaseParameters& parameters, const char* axis) {
  return fmt::format("{} {}", axis, axis_value(parameters, axis).get<std::string>());
}

std::optional<Reason> missing_part(const CaseParameters& p) {
  if (p.backend != Backend::cpu)
    return Reason{"not_built", value_of(p, "backend") + " is not part of this build"};
  if (p.transport == Transport::nccl)
    return Reason{"not_built", value_of(p, "transport") + " is not part of this build"};
  return std::nullopt;
}

std::optional<Reason> too_many_ranks(const CaseParameters& p, const RunLimits& limits) {
  if (!limits.max_ranks || p.world() <= *limits.max_ranks) return std::nullopt;
  return Reason{"max_ranks",
                fmt::format("needs {} ranks, --max-ranks is {}", p.world(), *limits.max_ranks)};
}

}  // namespace

std::optional<Reason> too_much_memory(std::int64_t needed, const RunLimits& limits) {
  const double usable = usable_memory_share * static_cast<double>(limits.available_memory);
  if (static_cast<double>(needed) <= usable) return std::nullopt;
  return Reason{"memory", fmt::format("needs {}, of the {} available {:.0f} % may be used",
                                      bytes_text(needed), bytes_text(limits.available_memory),
                                      100 * usable_memory_share)};
}

std::int64_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string name; meminfo >> name; meminfo.ignore(256, '\n')) {
    std::int64_t kibibytes = 0;
    if (name == "MemAvailable:" && meminfo >> kibibytes)
      return std::min(kibibytes << 10, memory_bytes());
  }
  return memory_bytes();
}

std::optional<Reason> reason_to_skip(const CaseParameters& parameters, const RunLimits& limits) {
  if (auto reason = missing_part(parameters)) return reason;
  if (auto reason = too_many_ranks(parameters, limits)) return reason;
  return too_much_memory(estimate_memory(parameters).all_ranks, limits);
}

}  // namespace vparity::harness
