// Collectives among the ranks of one group, as few as the kernels need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace vparity {

/// What a communicator has carried so far, counted on this rank.
struct CommunicationCounters {
  std::int64_t collectives = 0;     ///< all-gathers; barriers are not counted
  std::int64_t bytes_sent = 0;      ///< this rank's own contributions
  std::int64_t bytes_received = 0;  ///< contributions of the other ranks
  bool operator==(const CommunicationCounters&) const = default;
};

/// A group of ranks. Collectives are called by every rank of the group in the same order; a rank
/// that waits yields its core, so that more ranks than cores make progress. Calls on one object
/// must not overlap. A failed or aborted group throws CommunicationError on the ranks that wait.
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Rank r contributes `send`, `sizes[r]` bytes of it; `receive` holds all contributions in rank
  /// order. `sizes` is the same on every rank, may hold zeros, and sums to receive.size(). Counts
  /// may exceed 2^31. A group of one copies.
  void all_gather(std::span<const std::byte> send, std::span<std::byte> receive,
                  std::span<const std::size_t> sizes);

  /// The same with equal contributions: receive.size() == size() * send.size().
  void all_gather(std::span<const std::byte> send, std::span<std::byte> receive);

  virtual void barrier() = 0;

  /// Collective: the ranks that give the same color form a group, ordered by key, then by rank.
  virtual std::unique_ptr<Communicator> split(int color, int key) = 0;

  /// Breaks the group: every rank that waits or will wait in it, or in a group split from it, gets
  /// CommunicationError (threads), or the job ends (MPI). Callable from any one rank alone; does
  /// not wait.
  virtual void abort(const char* reason) noexcept = 0;

  const CommunicationCounters& counters() const { return counters_; }

 protected:
  Communicator() = default;

 private:
  virtual void do_all_gather(std::span<const std::byte> send, std::span<std::byte> receive,
                             std::span<const std::size_t> sizes) = 0;

  CommunicationCounters counters_;
};

/// One value per rank, in rank order, on every rank. `T` is trivially copyable.
template <class T>
std::vector<T> all_gather_values(Communicator& group, const T& own) {
  std::vector<T> all(static_cast<std::size_t>(group.size()));
  group.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

/// The two groups a rank belongs to: `tp` shares its rows and splits the vocabulary, `dp` shares
/// its columns and splits the rows. Neither is owned.
struct ProcessGroups {
  Communicator& tp;
  Communicator& dp;
};

}  // namespace vparity
