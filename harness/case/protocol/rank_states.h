// The progress of each rank of a job, in a file that the ranks and their parent share. The parent
// needs it because only rank 0 sends events, and a dead or hanging rank cannot answer.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::harness {

struct RankState {
  std::uint64_t collectives = 0;  ///< entered so far
  bool waits = false;             ///< in the last one of them, for the other ranks
  bool aborts = false;            ///< has asked for the end of the job
  std::array<char, 16> phase{};   ///< of the case that runs; empty: between two cases
};

/// The states of a job's ranks. The destructor removes the file.
class RankStates {
 public:
  /// No rank has started. Throws std::system_error naming the path.
  RankStates(std::string path, int ranks);
  ~RankStates();
  RankStates(const RankStates&) = delete;
  RankStates& operator=(const RankStates&) = delete;

  const std::string& path() const { return path_; }
  /// As they are now, in rank order; empty if the file cannot be read.
  std::vector<RankState> read() const;

 private:
  std::string path_;
};

/// This rank's own state. A few stores to memory that outlives the process; nothing is flushed.
class RankStateWriter {
 public:
  /// Writes nowhere if `path` is empty. Throws std::system_error naming the path, and
  /// std::runtime_error if it has no place for the rank.
  RankStateWriter(const std::string& path, int rank);
  ~RankStateWriter();
  RankStateWriter(const RankStateWriter&) = delete;
  RankStateWriter& operator=(const RankStateWriter&) = delete;

  void enter_collective();
  void leave_collective();
  void abort();
  /// Takes the phase out of events (protocol.h).
  void follow(const nlohmann::ordered_json& event);

 private:
  void set_phase(std::string_view phase);

  RankState nowhere_;
  RankState* state_ = &nowhere_;
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace vparity::harness
