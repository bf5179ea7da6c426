// The interface of kernels under test: the kernels of this repository, baselines, known bugs, or
// yours. A provider sees only what a trainer's kernels would see: its shard, the replicated ids and
// the process groups.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/case/parameters.h"
#include "harness/provider/traffic.h"
#include "vparity/policy_statistics.h"

namespace vparity::harness {

/// What one case asks of a provider; the same on every rank.
struct Problem {
  Backend backend = Backend::cpu;
  Transport transport = Transport::threads;
  std::int64_t vocab = 0;
  DType logits_dtype = DType::fp32;
  DType gradient_dtype = DType::fp32;
  int id_columns = 1;
  bool in_place = false;
  Layout layout = Layout::ceil;
  Options options;
};

/// The host's memory of one forward and one backward call.
struct CallMemory {
  VocabShard logits;
  TokenIds ids;
  UpstreamGradients upstream;
  StatisticsViews out;
  MutableVocabShard gradient;
};

class KernelSession;

/// Copies of a call's operands and results where a provider works, for as long as this lives.
class HeldMemory {
 public:
  virtual ~HeldMemory() = default;

  /// The copies, as arguments of the calls of WorkMemory::kernels().
  virtual const CallMemory& views() const = 0;
  /// Brings the results back to the host.
  virtual void fetch(const CallMemory& host) = 0;

  /// The floors, each waited for: the held logits read; copied to the gradient's place.
  virtual void read() = 0;
  virtual void copy() = 0;
};

/// Where a provider works, if that is not the host's memory. For calls that are timed: their
/// operands and results stay there.
class WorkMemory {
 public:
  virtual ~WorkMemory() = default;

  virtual std::unique_ptr<HeldMemory> hold(const CallMemory& host) = 0;

  /// The same kernels, for arguments that are held there.
  virtual KernelSession& kernels() = 0;
};

/// A provider bound to one problem on one rank. Both calls follow the contracts of
/// PolicyStatistics::forward and ::backward. `backward` comes after `forward` with the same logits
/// and ids; the session keeps what it needs from `forward`.
class KernelSession {
 public:
  virtual ~KernelSession() = default;

  /// Collective. `logits` must stay unchanged; every element of every present view is written.
  virtual GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                                const StatisticsViews& out) = 0;

  /// The gradient of sum(upstream * output) with respect to the logits. `gradient` is the logits'
  /// memory if Problem::in_place.
  virtual void backward(const VocabShard& logits, const TokenIds& ids,
                        const UpstreamGradients& upstream, const MutableVocabShard& gradient) = 0;

  /// nullptr if it works on the host's memory.
  virtual WorkMemory* work_memory() { return nullptr; }

  /// Whether `forward_backward` is called instead of `forward` and `backward`.
  virtual bool fused() const { return false; }

  /// Collective. Both in one call, for upstream gradients that are known beforehand.
  virtual GlobalResults forward_backward(const VocabShard& logits, const TokenIds& ids,
                                         const UpstreamGradients& upstream,
                                         const StatisticsViews& out,
                                         const MutableVocabShard& gradient) {
    const GlobalResults results = forward(logits, ids, out);
    backward(logits, ids, upstream, gradient);
    return results;
  }
};

class Provider {
 public:
  virtual ~Provider() = default;

  /// The value of the `provider` axis.
  virtual std::string_view name() const = 0;

  virtual bool runs_on(Backend backend) const { return backend == Backend::cpu; }

  /// Why this problem cannot be run, for a `skipped` status; nothing if it can. Same answer on
  /// every rank.
  std::optional<std::string> declined(const Problem& problem) const {
    if (!runs_on(problem.backend)) return "this provider does not run on that backend";
    return unsupported(problem);
  }

  /// As `declined`, for a problem on a backend that it runs on.
  virtual std::optional<std::string> unsupported(const Problem&) const { return std::nullopt; }

  /// The bytes that its calls have to move for this problem.
  virtual CallTraffic traffic(const Problem&, const RankShape& shape) const {
    return fewest_traffic(shape);
  }

  /// Collective over both groups; `own` are this rank's columns. Errors are thrown on every rank.
  virtual std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                                 const ShardColumns& own) const = 0;
};

}  // namespace vparity::harness
