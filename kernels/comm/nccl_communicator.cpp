#include "vparity/nccl_communicator.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nccl.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <numeric>
#include <utility>

#include "comm/common_outcome.h"
#include "comm/distinct_gpus.h"
#include "comm/timeout.h"
#include "device/cuda/cuda_check.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using std::chrono::milliseconds;

/// Limit of the shutdown of a group without an error.
constexpr milliseconds shutdown_timeout = std::chrono::seconds(10);

/// The index of the CUDA device whose memory `device` allocates.
int cuda_index_of(Device& device) {
  constexpr std::size_t some = 256;
  std::byte* const memory = device.allocate(some);
  cudaPointerAttributes attributes{};
  const cudaError_t code = cudaPointerGetAttributes(&attributes, memory);
  device.release(memory);
  cuda::check_cuda(code, "cudaPointerGetAttributes", __FILE__, __LINE__);
  if (attributes.type != cudaMemoryTypeDevice)
    throw ArgumentError("NCCL needs a CUDA device; this device does not allocate CUDA memory");
  return attributes.device;
}

GpuId gpu_id_of(int index) {
  cudaDeviceProp properties{};
  VPARITY_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  GpuId id{};
  static_assert(sizeof properties.uuid == sizeof id);
  std::memcpy(id.data(), &properties.uuid, id.size());
  return id;
}

/// Owns an ncclComm_t. The destructor aborts it unless it was finished; that does not wait for
/// other ranks.
class Handle {
 public:
  Handle() = default;
  Handle(Handle&& other) noexcept : comm_(std::exchange(other.comm_, nullptr)) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() { abort(); }

  ncclComm_t get() const { return comm_; }
  ncclComm_t* address() { return &comm_; }
  explicit operator bool() const { return comm_ != nullptr; }

  /// ncclInProgress, or the result of the last operation.
  ncclResult_t state() const {
    ncclResult_t state = ncclSuccess;
    const ncclResult_t asked = ncclCommGetAsyncError(comm_, &state);
    return asked == ncclSuccess ? state : asked;
  }

  /// Waits for a state other than ncclInProgress, for at most `limit`.
  ncclResult_t settled_state(milliseconds limit) const {
    const Timeout timeout(limit);
    ncclResult_t now = state();
    while (now == ncclInProgress && !timeout.has_passed()) now = state();
    return now;
  }

  void abort() noexcept {
    if (comm_ != nullptr) log(ncclCommAbort(std::exchange(comm_, nullptr)), "ncclCommAbort");
  }

  /// Frees it in the regular way, if all ranks do so within `limit`.
  void finish(milliseconds limit) noexcept {
    const ncclResult_t begun = ncclCommFinalize(comm_);
    const bool on_its_way = begun == ncclSuccess || begun == ncclInProgress;
    if (on_its_way && settled_state(limit) == ncclSuccess)
      log(ncclCommDestroy(std::exchange(comm_, nullptr)), "ncclCommDestroy");
  }

 private:
  static void log(ncclResult_t code, const char* call) noexcept {
    if (code != ncclSuccess && code != ncclInProgress)
      std::fprintf(stderr, "%s failed: %s\n", call, ncclGetErrorString(code));
  }

  ncclComm_t comm_ = nullptr;
};

/// NCCL's text for `code`; `comm` may be null.
std::string text_of(ncclResult_t code, ncclComm_t comm) {
  const char* const last = ncclGetLastError(comm);
  const std::string detail = last == nullptr ? "" : last;
  return fmt::format("{}{}{}", ncclGetErrorString(code), detail.empty() ? "" : ": ", detail);
}

ncclUniqueId new_group_id() {
  ncclUniqueId id{};
  const ncclResult_t code = ncclGetUniqueId(&id);
  if (code != ncclSuccess) throw CommunicationError("ncclGetUniqueId: " + text_of(code, nullptr));
  return id;
}

/// The same on every rank.
ncclUniqueId group_id(Communicator& group) {
  const auto own = with_common_outcome(group, "NCCL's id of the group", [&] {
    return group.rank() == 0 ? new_group_id() : ncclUniqueId{};
  });
  return all_gather_values(group, own).front();
}

Handle joined_group(const ncclUniqueId& id, int rank, int size, milliseconds limit) {
  Handle handle;
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  ncclResult_t code = ncclCommInitRankConfig(handle.address(), size, id, rank, &config);
  if (code == ncclInProgress) code = handle.settled_state(limit);
  if (code == ncclInProgress)
    throw CommunicationError(
        fmt::format("ncclCommInitRankConfig: not all ranks arrived within {}", limit));
  if (code != ncclSuccess)
    throw CommunicationError("ncclCommInitRankConfig: " + text_of(code, handle.get()));
  return handle;
}

bool all_equal(std::span<const std::size_t> sizes) {
  return std::ranges::adjacent_find(sizes, std::ranges::not_equal_to{}) == sizes.end();
}

class NcclCommunicator final : public DeviceCommunicator {
 public:
  NcclCommunicator(Communicator& group, Handle handle, cudaStream_t stream, milliseconds limit)
      : rank_(group.rank()),
        size_(group.size()),
        handle_(std::move(handle)),
        stream_(stream),
        limit_(limit) {}

  ~NcclCommunicator() override {
    const bool well = std::uncaught_exceptions() == exceptions_at_start_;
    if (handle_ && well && cudaStreamQuery(stream_) == cudaSuccess)
      handle_.finish(std::min(limit_, shutdown_timeout));
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string_view transport() const override { return "nccl"; }

  void all_gather(const std::byte* send, std::byte* receive,
                  std::span<const std::size_t> sizes) override {
    if (sizes.size() != static_cast<std::size_t>(size_))
      throw ArgumentError(fmt::format("all_gather on rank {}: {} sizes are given for {} ranks",
                                      rank_, sizes.size(), size_));
    require_group("all_gather");
    if (std::ranges::all_of(sizes, [](std::size_t size) { return size == 0; })) return;
    settle("all_gather", all_equal(sizes) ? gather_at_once(send, receive, sizes.front())
                                          : gather_one_by_one(send, receive, sizes));
  }

  void wait() override {
    require_group("wait");
    const Timeout timeout(limit_);
    for (;;) {
      const cudaError_t queue = cudaStreamQuery(stream_);
      const ncclResult_t state = handle_.state();
      if (queue != cudaSuccess && queue != cudaErrorNotReady) give_up("wait", cuda::text_of(queue));
      if (state != ncclSuccess && state != ncclInProgress)
        give_up("wait", text_of(state, handle_.get()));
      if (queue == cudaSuccess && state == ncclSuccess) return;
      if (timeout.has_passed()) give_up("wait", not_in_time());
    }
  }

 private:
  ncclResult_t gather_at_once(const std::byte* send, std::byte* receive, std::size_t size) {
    return ncclAllGather(send, receive, size, ncclUint8, handle_.get(), stream_);
  }

  /// ncclAllGather takes contributions of equal size only.
  ncclResult_t gather_one_by_one(const std::byte* send, std::byte* receive,
                                 std::span<const std::size_t> sizes) {
    ncclResult_t first_error = ncclGroupStart();
    for (int root = 0; root < size_; ++root) {
      const std::size_t size = sizes[static_cast<std::size_t>(root)];
      if (size > 0 && first_error == ncclSuccess) {
        const ncclResult_t code =
            ncclBroadcast(send, receive, size, ncclUint8, root, handle_.get(), stream_);
        if (code != ncclInProgress) first_error = code;
      }
      receive += size;
    }
    const ncclResult_t ended = ncclGroupEnd();
    return first_error == ncclSuccess ? ended : first_error;
  }

  /// Waits until the operation is in the queue: a non-blocking communicator may return from the
  /// call before that.
  void settle(const char* operation, ncclResult_t code) {
    if (code == ncclInProgress) code = handle_.settled_state(limit_);
    if (code == ncclInProgress) give_up(operation, not_in_time());
    if (code != ncclSuccess) give_up(operation, text_of(code, handle_.get()));
  }

  std::string not_in_time() const { return fmt::format("not done within {}", limit_); }

  /// The abort also ends NCCL's kernels that wait for a peer on the device.
  [[noreturn]] void give_up(const char* operation, const std::string& reason) {
    end_ = fmt::format("rank {} of {}: {} over NCCL: {}", rank_, size_, operation, reason);
    handle_.abort();
    throw CommunicationError(end_);
  }

  void require_group(const char* operation) const {
    if (!handle_)
      throw CommunicationError(fmt::format("{}: the group has ended: {}", operation, end_));
  }

  int rank_;
  int size_;
  Handle handle_;
  cudaStream_t stream_;
  milliseconds limit_;
  int exceptions_at_start_ = std::uncaught_exceptions();
  std::string end_;  ///< why the group has ended
};

}  // namespace

std::unique_ptr<DeviceCommunicator> make_nccl_communicator(Communicator& group, Device& device,
                                                           const NcclOptions& options) {
  const GpuId own = with_common_outcome(group, "NCCL", [&] {
    const int index = cuda_index_of(device);
    VPARITY_CUDA_CHECK(cudaSetDevice(index));
    return gpu_id_of(index);
  });
  require_distinct_gpus(all_gather_values(group, own));
  const ncclUniqueId id = group_id(group);
  Handle handle = with_common_outcome(group, "NCCL", [&] {
    return joined_group(id, group.rank(), group.size(), options.time_limit);
  });
  return std::make_unique<NcclCommunicator>(
      group, std::move(handle), static_cast<cudaStream_t>(device.stream()), options.time_limit);
}

std::string nccl_version() {
  int code = 0;
  if (ncclGetVersion(&code) != ncclSuccess) return "unknown";
  // NCCL_VERSION(X, Y, Z) of nccl.h, as it is since 2.9.
  return fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100);
}

}  // namespace vparity
