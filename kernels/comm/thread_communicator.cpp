#include "vparity/thread_communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "comm/large_copy.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

/// Shared by a group and all groups split from it, so that one abort reaches every waiting rank.
struct Family {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<std::string> abort_reason;
};

/// One rank's contribution to an all-gather.
class Contribution {
 public:
  /// A small contribution is copied, so that its rank need not wait until all ranks have read it.
  void show(std::span<const std::byte> bytes, std::span<const std::size_t> announced) {
    announced_.assign(announced.begin(), announced.end());
    borrowed_ = bytes.size() > most_copied_bytes;
    if (!borrowed_) copy_.assign(bytes.begin(), bytes.end());
    bytes_ = borrowed_ ? bytes : std::span<const std::byte>(copy_);
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  const std::vector<std::size_t>& announced() const { return announced_; }
  bool borrowed() const { return borrowed_; }

 private:
  static constexpr std::size_t most_copied_bytes = std::size_t{1} << 16;

  std::span<const std::byte> bytes_;
  std::vector<std::byte> copy_;
  std::vector<std::size_t> announced_;
  bool borrowed_ = false;
};
using Contributions = std::vector<Contribution>;

bool agree(const Contributions& all) {
  return std::ranges::all_of(
      all, [&](const Contribution& one) { return one.announced() == all.front().announced(); });
}

void concatenate(const Contributions& all, std::span<std::byte> receive) {
  for (const Contribution& one : all) {
    copy_bytes(one.bytes(), receive.data());
    receive = receive.subspan(one.bytes().size());
  }
}

/// Waking a sleeping thread takes longer than a few rows. A longer wait is for a rank without a
/// core.
constexpr int polls_before_sleeping = 200;

/// One group. Ranks that wait yield their cores and soon block, because there may be more ranks
/// than cores.
class Group {
 public:
  Group(std::shared_ptr<Family> family, int size)
      : family_(std::move(family)),
        slots_(static_cast<std::size_t>(size)),
        contributions_{Contributions(slots_.size()), Contributions(slots_.size())} {}

  int size() const { return static_cast<int>(slots_.size()); }
  const std::shared_ptr<Family>& family() const { return family_; }

  /// Every rank shows `own` to all ranks. Once all ranks have arrived, `read` gets the values of
  /// all ranks, in rank order. The values stay alive until every `read` has returned. Throws if the
  /// family is aborted before all ranks have arrived. A later abort takes effect at the next
  /// meeting: a rank that left early would free memory that other ranks still read.
  template <class T, class Read>
  void meet(int rank, const T& own, Read read) {
    std::unique_lock lock(family_->mutex);
    slots_[static_cast<std::size_t>(rank)] = &own;
    arrive(lock, true);
    lock.unlock();
    std::vector<const T*> shown;
    shown.reserve(slots_.size());
    for (const void* slot : slots_) shown.push_back(static_cast<const T*>(slot));
    read(shown);
    lock.lock();
    arrive(lock, false);
  }

  /// meet() for an all-gather. There is no second meeting if all contributions were copied: two
  /// sets of copies are used in turn, and a rank reuses its copy only after the meeting in between,
  /// to which all ranks come after they have read.
  template <class Read>
  void gather(int rank, std::span<const std::byte> send, std::span<const std::size_t> sizes,
              Read read) {
    std::unique_lock lock(family_->mutex);
    Contributions& all = contributions_[generation_ % 2];
    all[static_cast<std::size_t>(rank)].show(send, sizes);
    arrive(lock, true);
    lock.unlock();
    read(all);
    if (std::ranges::none_of(all, &Contribution::borrowed)) return;
    lock.lock();
    arrive(lock, false);
  }

  void barrier() {
    std::unique_lock lock(family_->mutex);
    arrive(lock, true);
  }

 private:
  void arrive(std::unique_lock<std::mutex>& lock, bool abortable) {
    if (abortable) throw_if_aborted();
    if (++arrived_ == size()) {
      arrived_ = 0;
      ++generation_;
      family_->changed.notify_all();
      return;
    }
    const std::uint64_t waiting_for = generation_ + 1;
    const auto complete = [&] { return generation_ >= waiting_for; };
    lock.unlock();
    for (int polls = 0; polls < polls_before_sleeping && !complete(); ++polls) {
      std::this_thread::yield();
    }
    lock.lock();
    family_->changed.wait(
        lock, [&] { return complete() || (abortable && family_->abort_reason.has_value()); });
    if (!complete()) throw_if_aborted();
  }

  void throw_if_aborted() const {
    if (family_->abort_reason) {
      throw CommunicationError("the group of ranks was aborted: " + *family_->abort_reason);
    }
  }

  std::shared_ptr<Family> family_;
  std::vector<const void*> slots_;
  std::array<Contributions, 2> contributions_;
  int arrived_ = 0;
  std::atomic<std::uint64_t> generation_ = 0;
};

struct Membership {
  int color;
  int key;
};

/// The parent's ranks of one color in the order of their new ranks.
std::vector<int> members_of(int color, const std::vector<Membership>& all) {
  std::vector<int> members;
  for (int rank = 0; rank < static_cast<int>(all.size()); ++rank) {
    if (all[static_cast<std::size_t>(rank)].color == color) members.push_back(rank);
  }
  std::ranges::stable_sort(members, {},
                           [&](int rank) { return all[static_cast<std::size_t>(rank)].key; });
  return members;
}

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::shared_ptr<Group> group, int rank)
      : group_(std::move(group)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return group_->size(); }

  void barrier() override { group_->barrier(); }

  std::unique_ptr<Communicator> split(int color, int key) override {
    std::vector<Membership> all;
    group_->meet(rank_, Membership{color, key}, [&](const auto& shown) {
      for (const Membership* one : shown) all.push_back(*one);
    });
    const std::vector<int> members = members_of(color, all);
    const auto leader = static_cast<std::size_t>(members.front());
    std::shared_ptr<Group> own;
    if (rank_ == members.front()) {
      own = std::make_shared<Group>(group_->family(), static_cast<int>(members.size()));
    }
    std::shared_ptr<Group> group;
    group_->meet(rank_, own, [&](const auto& shown) { group = *shown[leader]; });
    const auto position = std::ranges::find(members, rank_) - members.begin();
    return std::make_unique<ThreadCommunicator>(std::move(group), static_cast<int>(position));
  }

  void abort(const char* reason) noexcept override {
    Family& family = *group_->family();
    const std::lock_guard lock(family.mutex);
    if (!family.abort_reason) family.abort_reason = reason;
    family.changed.notify_all();
  }

 private:
  void do_all_gather(std::span<const std::byte> send, std::span<std::byte> receive,
                     std::span<const std::size_t> sizes) override {
    bool agreed = false;
    group_->gather(rank_, send, sizes, [&](const Contributions& all) {
      agreed = agree(all);
      if (agreed) concatenate(all, receive);
    });
    if (!agreed) {
      throw CommunicationError(fmt::format(
          "all_gather on rank {} of {}: the ranks announced different sizes", rank_, size()));
    }
  }

  std::shared_ptr<Group> group_;
  int rank_;
};

/// Keeps the first failure, and aborts the group so that no rank waits for the rank that failed.
class FirstFailure {
 public:
  void record(Communicator& group, const char* reason) {
    {
      const std::lock_guard lock(mutex_);
      if (!exception_) exception_ = std::current_exception();
    }
    group.abort(reason);
  }

  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

void run_rank(const std::function<void(Communicator&)>& body, Communicator& group,
              FirstFailure& failure) {
  try {
    body(group);
  } catch (const std::exception& error) {
    failure.record(group, error.what());
  } catch (...) {
    failure.record(group, "a rank ended with an exception of unknown type");
  }
}

}  // namespace

std::vector<std::unique_ptr<Communicator>> make_thread_group(int size) {
  if (size < 1) throw ArgumentError(fmt::format("a group needs at least 1 rank, got {}", size));
  const auto group = std::make_shared<Group>(std::make_shared<Family>(), size);
  std::vector<std::unique_ptr<Communicator>> ranks;
  ranks.reserve(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    ranks.push_back(std::make_unique<ThreadCommunicator>(group, rank));
  }
  return ranks;
}

void run_thread_ranks(int size, const std::function<void(Communicator&)>& body) {
  const std::vector<std::unique_ptr<Communicator>> ranks = make_thread_group(size);
  FirstFailure failure;
  {
    std::vector<std::jthread> threads;  // joined at the end of this block
    try {
      for (const auto& rank : ranks) {
        threads.emplace_back([&] { run_rank(body, *rank, failure); });
      }
    } catch (const std::system_error& error) {  // no more threads
      failure.record(*ranks.front(), error.what());
    }
  }
  failure.rethrow();
}

}  // namespace vparity
