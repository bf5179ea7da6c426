// Collectives among the ranks of one group, as few as the kernels need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace vparity {

/// Traffic of a communicator so far, counted on this rank.
struct CommunicationCounters {
  std::int64_t collectives = 0;     ///< all-gathers; barriers are not counted
  std::int64_t bytes_sent = 0;      ///< this rank's own contributions
  std::int64_t bytes_received = 0;  ///< contributions of the other ranks
  bool operator==(const CommunicationCounters&) const = default;
};

/// A group of ranks. Every rank of the group calls the collectives in the same order. A rank that
/// waits yields its core, so that more ranks than cores make progress. Calls on one object must not
/// overlap. If the group fails or is aborted, the ranks that wait throw CommunicationError.
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Rank r contributes `send`, which has `sizes[r]` bytes. `receive` gets all contributions in
  /// rank order. `sizes` is the same on every rank, may contain zeros, and sums to receive.size().
  /// Sizes may exceed 2^31. A group of one rank copies. Throws ArgumentError if the sizes do not
  /// fit.
  void all_gather(std::span<const std::byte> send, std::span<std::byte> receive,
                  std::span<const std::size_t> sizes);

  /// The same with equal contributions: receive.size() == size() * send.size().
  void all_gather(std::span<const std::byte> send, std::span<std::byte> receive);

  virtual void barrier() = 0;

  /// Collective: ranks with the same color form a new group, ordered by key, then by rank.
  virtual std::unique_ptr<Communicator> split(int color, int key) = 0;

  /// Breaks the group. Threads: every rank that waits or will wait in it, or in a group split from
  /// it, throws CommunicationError. MPI: the job ends. Any single rank may call it; it does not
  /// wait.
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

/// The two groups of a rank: the ranks of `tp` share its rows and split the vocabulary; the ranks
/// of `dp` share its columns and split the rows. Neither is owned.
struct ProcessGroups {
  Communicator& tp;
  Communicator& dp;
};

}  // namespace vparity
