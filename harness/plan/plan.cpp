#include "harness/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "harness/case/axes.h"
#include "harness/case/setting.h"
#include "harness/case/sha256.h"
#include "harness/io/usage_error.h"
#include "harness/plan/feasibility.h"
#include "harness/plan/memory_estimate.h"
#include "harness/plan/selection.h"

namespace vparity::harness {
namespace {

using reports::Measure;

struct NamedMatrix {
  std::string file;
  Matrix matrix;
};

std::vector<NamedMatrix> read_matrices(const std::vector<std::string>& files) {
  std::vector<NamedMatrix> matrices;
  for (const std::string& file : files) matrices.push_back({file, read_matrix(file)});
  if (matrices.empty()) throw UsageError("no matrix file is given");
  return matrices;
}

/// A run has one seed.
std::uint64_t common_seed(const std::vector<NamedMatrix>& matrices) {
  const NamedMatrix& first = matrices.front();
  for (const NamedMatrix& other : matrices)
    if (other.matrix.seed != first.matrix.seed)
      throw UsageError(
          fmt::format("{}: seed {} differs from {} of {}: run them apart, or give --seed",
                      other.file, other.matrix.seed, first.matrix.seed, first.file));
  return first.matrix.seed;
}

std::string common_name(const std::vector<NamedMatrix>& matrices) {
  std::string name;
  for (const NamedMatrix& one : matrices) name += (name.empty() ? "" : "+") + one.matrix.name;
  return name;
}

/// The parameters as they run. `mpi` is how mpirun starts ranks; those that talk over NCCL it
/// starts too.
CaseParameters overridden(CaseParameters parameters, const PlanOptions& options) {
  if (options.provider) parameters.provider = *options.provider;
  if (options.backend) parameters.backend = *options.backend;
  const bool stays_nccl =
      parameters.transport == Transport::nccl && options.transport == Transport::mpi;
  if (options.transport && !stays_nccl) parameters.transport = *options.transport;
  return parameters;
}

PlannedCase planned_case(const SweepCase& sweep_case, Measure measure, const std::string& file,
                         const PlanOptions& options) {
  PlannedCase planned;
  planned.measure = measure;
  planned.measured_twice = sweep_case.parity && sweep_case.throughput;
  planned.job.parameters = overridden(sweep_case.parameters, options);
  planned.job.key = case_key(planned.job.parameters);
  planned.job.id = case_id(planned.job.key);
  planned.sweep = sweep_case.sweep;
  planned.matrix_file = file;
  return planned;
}

bool measures(const SweepCase& sweep_case, Measure measure) {
  return measure == Measure::parity ? sweep_case.parity : sweep_case.throughput;
}

std::vector<PlannedCase> merged_cases(const std::vector<NamedMatrix>& matrices,
                                      const PlanOptions& options) {
  std::vector<PlannedCase> cases;
  std::set<std::string> seen;
  const auto add = [&](const SweepCase& sweep_case, Measure measure, const std::string& file) {
    PlannedCase planned = planned_case(sweep_case, measure, file, options);
    if (seen.insert(planned.job.id).second) cases.push_back(std::move(planned));
  };
  for (const Measure measure : {Measure::parity, Measure::throughput}) {
    if (options.only.value_or(measure) != measure) continue;
    seen.clear();
    for (const NamedMatrix& one : matrices) {
      for (const SweepCase& sweep_case : one.matrix.cases)
        if (measures(sweep_case, measure)) add(sweep_case, measure, one.file);
    }
  }
  if (cases.empty())
    throw UsageError(fmt::format("--only: no sweep measures {}", name_of(*options.only)));
  return cases;
}

/// Providers that are timed together hold what they hold side by side: those that come first, as
/// many as there is memory for.
class TimedTogether {
 public:
  std::optional<reports::Reason> add(const CaseParameters& parameters, const RunLimits& limits) {
    const CaseParameters setting = setting_of(parameters);
    const std::int64_t common = estimate_memory(setting).all_ranks;
    Held& held = held_[case_key(setting)];
    if (held.variants.contains(variant_of(parameters))) return std::nullopt;
    const std::int64_t own = estimate_memory(parameters).all_ranks - common;
    if (auto reason = too_much_memory(common + held.bytes + own, limits)) return reason;
    held.bytes += own;
    held.variants.insert(variant_of(parameters));
    return std::nullopt;
  }

 private:
  struct Held {
    std::int64_t bytes = 0;
    std::set<std::string> variants;
  };
  std::map<std::string, Held> held_;  ///< by setting
};

void decide_skips(std::vector<PlannedCase>& cases, const RunLimits& limits) {
  TimedTogether timed;
  for (PlannedCase& planned : cases) {
    planned.memory_bytes = estimate_memory(planned.job.parameters).all_ranks;
    planned.skip = reason_to_skip(planned.job.parameters, planned.measure, limits);
    if (!planned.skip && planned.measure == Measure::throughput)
      planned.skip = timed.add(planned.job.parameters, limits);
  }
}

/// The driver is not started for cases that do not need it.
Gpus gpus_for(const std::vector<PlannedCase>& cases) {
  const bool wanted = std::ranges::any_of(cases, [](const PlannedCase& planned) {
    return planned.job.parameters.backend == Backend::cuda;
  });
  return wanted ? find_gpus() : Gpus{};
}

void append(std::vector<DroppedPoints>& to, const std::vector<DroppedPoints>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::string digest_of(const std::vector<PlannedCase>& cases) {
  std::string ids;
  for (const PlannedCase& planned : cases)
    ids += std::string(name_of(planned.measure)) + " " + planned.job.id + "\n";
  constexpr std::size_t digits = 16;
  return sha256_hex(ids).substr(0, digits);
}

}  // namespace

std::int64_t Plan::dropped_points() const {
  return std::accumulate(
      dropped.begin(), dropped.end(), std::int64_t{0},
      [](std::int64_t sum, const DroppedPoints& one) { return sum + one.points; });
}

Plan make_plan(const std::vector<std::string>& matrix_files, const PlanOptions& options) {
  const std::vector<NamedMatrix> matrices = read_matrices(matrix_files);
  Plan plan;
  plan.name = common_name(matrices);
  plan.seed = options.seed ? *options.seed : common_seed(matrices);
  auto cases = merged_cases(matrices, options);
  for (const PlannedCase& planned : cases) plan.matrix_keys.push_back(planned.job.key);
  cases = select(std::move(cases), options);
  plan.shards_total = std::ssize(cases);
  plan.shards_plan = digest_of(cases);
  plan.cases = shard(std::move(cases), options);
  decide_skips(plan.cases, {options.max_ranks, available_memory(), gpus_for(plan.cases)});
  for (const NamedMatrix& one : matrices) {
    append(plan.dropped, one.matrix.dropped);
    append(plan.excluded, one.matrix.excluded);
  }
  return plan;
}

std::vector<Group> groups_of(const Plan& plan) {
  std::map<std::tuple<Measure, int, Backend, Transport>, Group> groups;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    if (plan.cases[i].skip) continue;
    const CaseParameters& p = plan.cases[i].job.parameters;
    const Measure measure = plan.cases[i].measure;
    auto& group = groups[{measure, p.world(), p.backend, p.transport}];
    group.measure = measure;
    group.backend = p.backend;
    group.transport = p.transport;
    group.world = p.world();
    group.cases.push_back(i);
  }
  std::vector<Group> ordered;
  for (auto& [order, group] : groups) ordered.push_back(std::move(group));
  return ordered;
}

}  // namespace vparity::harness
