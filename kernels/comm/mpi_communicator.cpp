#include "vparity/mpi_communicator.h"

#include <fmt/format.h>
#include <sched.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <numeric>
#include <thread>

#include "comm/mpi_check.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

constexpr int polls_before_sleeping = 200;  // a longer wait is for a rank without a core
constexpr auto sleep_between_polls = std::chrono::microseconds(50);

/// Polls until the request completes. MPI's own wait spins: with more ranks than cores it would
/// keep the awaited rank from running.
void wait(MPI_Request request, const char* operation) {
  int done = 0;
  for (int polls = 0;; ++polls) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), operation, __FILE__, __LINE__);
    if (done != 0) return;
    if (polls < polls_before_sleeping) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(sleep_between_polls);
    }
  }
}

/// Consecutive bytes as one MPI element, so that their number need not fit an int: whole blocks of
/// `limit` bytes, then the rest.
class LargeBytes {
 public:
  LargeBytes(std::size_t bytes, std::size_t limit) {
    const int block = static_cast<int>(limit);
    const int rest = static_cast<int>(bytes % limit);
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    VPARITY_MPI_CHECK(
        MPI_Type_vector(static_cast<int>(bytes / limit), block, block, MPI_BYTE, &blocks));
    const int lengths[] = {1, rest};
    const MPI_Aint offsets[] = {0, static_cast<MPI_Aint>(bytes - bytes % limit)};
    const MPI_Datatype types[] = {blocks, MPI_BYTE};
    VPARITY_MPI_CHECK(MPI_Type_create_struct(2, lengths, offsets, types, &type_));
    VPARITY_MPI_CHECK(MPI_Type_free(&blocks));
    VPARITY_MPI_CHECK(MPI_Type_commit(&type_));
  }
  ~LargeBytes() { VPARITY_MPI_LOG(MPI_Type_free(&type_)); }
  LargeBytes(const LargeBytes&) = delete;
  LargeBytes& operator=(const LargeBytes&) = delete;

  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class MpiCommunicator final : public Communicator {
 public:
  /// Takes ownership of `comm`.
  MpiCommunicator(MPI_Comm comm, std::size_t count_limit) : comm_(comm), count_limit_(count_limit) {
    VPARITY_MPI_CHECK(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
    VPARITY_MPI_CHECK(MPI_Comm_rank(comm_, &rank_));
    VPARITY_MPI_CHECK(MPI_Comm_size(comm_, &size_));
  }

  ~MpiCommunicator() override {
    int finalized = 0;
    VPARITY_MPI_LOG(MPI_Finalized(&finalized));
    if (finalized == 0) VPARITY_MPI_LOG(MPI_Comm_free(&comm_));
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void barrier() override {
    MPI_Request request = MPI_REQUEST_NULL;
    VPARITY_MPI_CHECK(MPI_Ibarrier(comm_, &request));
    wait(request, "MPI_Ibarrier");
  }

  std::unique_ptr<Communicator> split(int color, int key) override {
    barrier();  // MPI_Comm_split cannot yield; after a barrier it does not wait long
    MPI_Comm part = MPI_COMM_NULL;
    VPARITY_MPI_CHECK(MPI_Comm_split(comm_, color, key, &part));
    return std::make_unique<MpiCommunicator>(part, count_limit_);
  }

  void abort(const char* reason) noexcept override {
    std::fprintf(stderr, "rank %d of %d aborts the job: %s\n", rank_, size_, reason);
    MPI_Abort(comm_, 1);
  }

 private:
  void do_all_gather(std::span<const std::byte> send, std::span<std::byte> receive,
                     std::span<const std::size_t> sizes) override {
    if (receive.size() <= count_limit_) {
      gather_at_once(send, receive, sizes);
    } else {
      gather_one_by_one(send, receive, sizes);
    }
  }

  void gather_at_once(std::span<const std::byte> send, std::span<std::byte> receive,
                      std::span<const std::size_t> sizes) {
    const std::vector<int> counts(sizes.begin(), sizes.end());
    std::vector<int> offsets(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    MPI_Request request = MPI_REQUEST_NULL;
    VPARITY_MPI_CHECK(MPI_Iallgatherv(send.data(), static_cast<int>(send.size()), MPI_BYTE,
                                      receive.data(), counts.data(), offsets.data(), MPI_BYTE,
                                      comm_, &request));
    wait(request, "MPI_Iallgatherv");
  }

  /// Offsets beyond an int do not fit MPI_Iallgatherv, so each contribution is broadcast.
  void gather_one_by_one(std::span<const std::byte> send, std::span<std::byte> receive,
                         std::span<const std::size_t> sizes) {
    for (int root = 0; root < size_; ++root) {
      const auto place = receive.first(sizes[static_cast<std::size_t>(root)]);
      receive = receive.subspan(place.size());
      if (place.empty()) continue;
      if (root == rank_) std::ranges::copy(send, place.begin());
      broadcast(place, root);
    }
  }

  void broadcast(std::span<std::byte> bytes, int root) {
    const LargeBytes layout(bytes.size(), count_limit_);
    MPI_Request request = MPI_REQUEST_NULL;
    VPARITY_MPI_CHECK(MPI_Ibcast(bytes.data(), 1, layout.type(), root, comm_, &request));
    wait(request, "MPI_Ibcast");
  }

  MPI_Comm comm_;
  std::size_t count_limit_;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace

std::unique_ptr<Communicator> make_mpi_communicator(MPI_Comm comm, std::size_t count_limit) {
  if (count_limit < 1 || count_limit > mpi_count_limit) {
    throw ArgumentError(
        fmt::format("count_limit must be in [1, {}], got {}", mpi_count_limit, count_limit));
  }
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  VPARITY_MPI_CHECK(MPI_Comm_idup(comm, &copy, &request));
  wait(request, "MPI_Comm_idup");
  return std::make_unique<MpiCommunicator>(copy, count_limit);
}

MpiSession::MpiSession(int* argc, char*** argv) {
  int initialized = 0;
  VPARITY_MPI_CHECK(MPI_Initialized(&initialized));
  if (initialized != 0) throw CommunicationError("MPI was initialised before");
  int provided = 0;
  VPARITY_MPI_CHECK(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided));
  // Errors of calls without one of our communicators (datatypes, duplication) are reported on one
  // of these two, depending on the MPI's version. Their default is to end the job without a
  // message.
  VPARITY_MPI_CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  VPARITY_MPI_CHECK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
}

MpiSession::~MpiSession() { VPARITY_MPI_LOG(MPI_Finalize()); }

}  // namespace vparity
