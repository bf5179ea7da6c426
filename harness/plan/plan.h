// From matrix files to the cases of a run, in groups that one worker job can take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/parameters.h"
#include "harness/case/protocol/protocol.h"
#include "harness/plan/matrix/matrix.h"

namespace vparity::harness {

/// Choices of the command line that change or select the cases of a matrix.
struct PlanOptions {
  std::optional<reports::Measure> only;
  std::string filter;                   ///< glob on the case key; empty: all
  std::string case_id;                  ///< empty: all
  std::optional<std::string> provider;  ///< the provider under test; a known one
  std::optional<Backend> backend;
  std::string backend_choice;          ///< where `auto` chose it: which and why; else empty
  std::optional<Transport> transport;  ///< also set by the launcher: how the cases will run
  std::optional<std::uint64_t> seed;
  int shard_index = 1, shard_count = 1;
  std::optional<int> max_ranks;
};

struct PlannedCase {
  reports::Measure measure = reports::Measure::parity;
  bool measured_twice = false;  ///< the same case is there with the other measure
  JobCase job;
  std::string sweep;
  std::string matrix_file;
  std::int64_t memory_bytes = 0;        ///< estimate for all ranks of the case together
  std::optional<reports::Reason> skip;  ///< decided by the plan: ranks, memory, not built
  std::int64_t position = 0;            ///< among the cases of all shards
};

struct Plan {
  std::string name;
  std::uint64_t seed = 0;
  /// Unique by measure and id; parity first, each in the order of the matrix.
  std::vector<PlannedCase> cases;
  std::vector<DroppedPoints> dropped;    ///< patterns that cannot occur
  std::vector<DroppedPoints> excluded;   ///< by the matrix's own `exclude`
  std::vector<std::string> matrix_keys;  ///< of all cases, selected or not
  std::int64_t shards_total = 0;         ///< selected cases, of all shards
  std::string shards_plan;               ///< 16 hex digits over the ids of these
  std::int64_t dropped_points() const;
};

/// Reads, expands, merges duplicates, selects. Throws UsageError naming file and JSON pointer; also
/// if nothing is left.
Plan make_plan(const std::vector<std::string>& matrix_files, const PlanOptions& options);

/// Indices into plan.cases of the cases that are to run, by measure, backend, transport and world
/// size; parity first, then smallest world first.
struct Group {
  reports::Measure measure = reports::Measure::parity;
  Backend backend = Backend::cpu;
  Transport transport = Transport::mpi;
  int world = 1;
  std::vector<std::size_t> cases;
};
std::vector<Group> groups_of(const Plan& plan);

}  // namespace vparity::harness
