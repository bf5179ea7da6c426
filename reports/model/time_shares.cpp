#include "reports/model/time_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace vparity::reports {
namespace {

std::string work_of(const std::string& phase) {
  const bool kernels = phase == "forward" || phase == "backward" || phase == "forward_backward";
  return kernels ? "kernels" : phase;
}

}  // namespace

std::vector<std::pair<std::string, double>> time_by_work(const Report& report) {
  std::map<std::string, double> seconds;
  for (const auto& result : report.cases) {
    if (result.measure() != Measure::parity) continue;
    double known = 0;
    for (const auto& [phase, spent] : result.parity().phases_s) {
      seconds[work_of(phase)] += spent;
      known += spent;
    }
    if (known > 0) seconds["other"] += std::max(result.wall_s - known, 0.0);
  }
  if (seconds.empty()) return {};
  seconds["launch"] += report.run.launch_s;
  std::vector<std::pair<std::string, double>> sorted(seconds.begin(), seconds.end());
  std::erase_if(sorted, [](const auto& entry) { return entry.second <= 0; });
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<std::string, double>::second);
  return sorted;
}

std::string time_shares(const Report& report) {
  const auto work = time_by_work(report);
  if (work.empty()) return {};
  double total = 0;
  for (const auto& [name, seconds] : work) total += seconds;
  std::string text;
  for (const auto& [name, seconds] : work)
    text +=
        fmt::format("{}{} {:.0f} %", text.empty() ? "time: " : ", ", name, 100 * seconds / total);
  return fmt::format("{} of {:.3g} s", text, total);
}

}  // namespace vparity::reports
