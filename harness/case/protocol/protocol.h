// What passes between vparity and vparity-worker. Parent to worker: a job file. Worker to parent:
// JSON Lines on the worker's standard output, written by world rank 0 only (the worker moves its
// own and the kernels' output to standard error first). Everything else a rank says is log.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/parameters.h"
#include "harness/case/protocol/rank_states.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// One case of a group's job.
struct JobCase {
  std::string id;
  std::string key;
  CaseParameters parameters;
};

/// The job file of a group: all cases of one measure, backend, transport and world size. Member
/// "kind" of the JSON is the measure ("eval" for the job of `vparity eval`, see
/// harness/commands/eval).
struct MatrixJob {
  reports::Measure measure = reports::Measure::parity;
  int world = 1;
  std::uint64_t seed = 0;
  double case_limit_s = 60;  ///< how long a case may take before its ranks are ended
  std::string save_failing;  ///< directory for the operands of failing cases; empty: none
  std::vector<JobCase> cases;
};
nlohmann::ordered_json to_json(const MatrixJob& job);
MatrixJob matrix_job_from_json(const nlohmann::json& json);

/// Events, one JSON object a line, member "event":
///   {"event":"ready","world":N,"host":{...},"mpi":"...","libraries":{...}}
///   all ranks are up; host: describe_host() (harness/machine/host.h), with its GPUs if the job
///   uses them; mpi: the library's version, empty where the ranks are threads; libraries: the
///   versions of others that the job uses
///   {"event":"case","id":ID}                                     a case begins
///   {"event":"phase","id":ID,"phase":NAME}                       as in
///   reports::CaseOutcome
///   {"event":"saved","id":ID,"replay":COMMAND}                   its operands were saved
///   {"event":"result","id":ID,"outcome":{...}}                   a case has ended
///   (to_json of reports::CaseOutcome)
///   {"event":"output","json":{...}}                              what `eval` prints
///   {"event":"refused","message":TEXT}                           usage error found by the ranks;
///   exit 2
///   {"event":"done"}                                             all cases have ended
struct Event {
  std::string kind;
  nlohmann::json body;
};

/// One line without the newline; nothing if it is not an event (a stray line of some library).
std::optional<Event> parse_event(const std::string& line);

/// Writes events; on world rank 0 to a file descriptor, on the others nowhere. On every rank, the
/// rank's state follows them.
class EventWriter {
 public:
  explicit EventWriter(int file_descriptor = -1, RankStateWriter* state = nullptr)
      : fd_(file_descriptor), state_(state) {}
  /// One line, written whole and at once.
  void write(const nlohmann::ordered_json& event) const;

 private:
  int fd_;
  RankStateWriter* state_;  ///< borrowed; may be absent
};

}  // namespace vparity::harness
