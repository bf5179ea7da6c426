#include "harness/plan/plan_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/case/axes.h"
#include "harness/plan/feasibility.h"
#include "harness/plan/memory_estimate.h"
#include "reports/text/text_safety.h"

namespace vparity::harness {
namespace {

void list_cases(std::string& text, const Plan& plan) {
  std::size_t sweep_width = std::string_view("sweep").size();
  for (const PlannedCase& planned : plan.cases)
    sweep_width = std::max(sweep_width, planned.sweep.size());
  const auto out = std::back_inserter(text);
  constexpr std::string_view line = "{:12}  {:{}}  {:>5}  {:>10}  {}\n";
  fmt::format_to(out, line, "id", "sweep", sweep_width, "ranks", "memory", "axes not at default");
  for (const PlannedCase& planned : plan.cases) {
    fmt::format_to(out, line, planned.job.id, planned.sweep, sweep_width,
                   planned.job.parameters.world(), bytes_text(planned.memory_bytes),
                   brief_key(planned.job.parameters));
    if (planned.skip)
      fmt::format_to(out, "{:12}  skipped ({}): {}\n", "", planned.skip->code, planned.skip->text);
  }
}

void list_groups(std::string& text, const Plan& plan) {
  text += "\ngroups: measure, backend, transport, world size: cases\n";
  for (const Group& group : groups_of(plan)) {
    CaseParameters parameters;
    parameters.backend = group.backend;
    parameters.transport = group.transport;
    fmt::format_to(std::back_inserter(text), "  {}, {}, {}, world size {}: {}\n",
                   name_of(group.measure), axis_value(parameters, "backend").get<std::string>(),
                   axis_value(parameters, "transport").get<std::string>(), group.world,
                   group.cases.size());
  }
}

void list_points(std::string& text, const char* what, const std::vector<DroppedPoints>& all) {
  if (all.empty()) return;
  fmt::format_to(std::back_inserter(text), "\n{}\n", what);
  for (const DroppedPoints& points : all)
    fmt::format_to(std::back_inserter(text), "  {:>6} of {}: {}\n", points.points, points.sweep,
                   reports::one_line(points.reason));
}

void list_memory(std::string& text, const Plan& plan) {
  MemoryEstimate largest;
  for (const PlannedCase& planned : plan.cases) {
    const MemoryEstimate estimate = estimate_memory(planned.job.parameters);
    largest.largest_rank = std::max(largest.largest_rank, estimate.largest_rank);
    largest.all_ranks = std::max(largest.all_ranks, estimate.all_ranks);
  }
  fmt::format_to(std::back_inserter(text),
                 "\nmemory: up to {} per rank, {} for all ranks of a case; {} available\n",
                 bytes_text(largest.largest_rank), bytes_text(largest.all_ranks),
                 bytes_text(available_memory()));
}

std::int64_t sum(const std::vector<DroppedPoints>& all) {
  std::int64_t points = 0;
  for (const DroppedPoints& one : all) points += one.points;
  return points;
}

}  // namespace

std::string plan_listing(const Plan& plan) {
  std::string text;
  list_cases(text, plan);
  list_groups(text, plan);
  list_points(text, "dropped points: what they name cannot occur", plan.dropped);
  list_points(text, "excluded points", plan.excluded);
  list_memory(text, plan);
  const auto skipped = std::count_if(plan.cases.begin(), plan.cases.end(),
                                     [](const PlannedCase& one) { return one.skip.has_value(); });
  fmt::format_to(std::back_inserter(text),
                 "{} cases: {} to run, {} to skip; {} points dropped, {} excluded\n",
                 plan.cases.size(), plan.cases.size() - static_cast<std::size_t>(skipped), skipped,
                 plan.dropped_points(), sum(plan.excluded));
  return text;
}

}  // namespace vparity::harness
