// Every process that a job has started, wherever it has moved to: mpirun puts ranks into process
// groups, and ranks may start sessions of their own.
#pragma once

#include <sys/types.h>

#include <set>
#include <vector>

namespace vparity::harness {

/// The descendants that this process gets while the object lives. Orphans among them come back to
/// this process (it is their subreaper), so none can hide. One at a time per process.
class ProcessTree {
 public:
  ProcessTree();
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  /// Process ids, from /proc, including zombies.
  std::vector<pid_t> members() const;

  /// Sends `signal` to every member.
  void signal(int signal) const;

  /// Reaps the orphans that have ended. The job's first process, `spared`, is left to its owner,
  /// who wants its exit status.
  void reap_orphans(pid_t spared) const;

 private:
  std::set<pid_t> earlier_;  ///< children that existed before the job
  int was_subreaper_ = 0;
};

}  // namespace vparity::harness
