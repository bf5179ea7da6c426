#include <fmt/format.h>

#include <algorithm>

#include "device/cuda/cuda_check.h"
#include "device/cuda/cuda_launches.h"
#include "vparity/cuda_device.h"
#include "vparity/cuda_presence.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

/// A stream of its own, or the caller's.
class Stream {
 public:
  Stream() { VPARITY_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  explicit Stream(cudaStream_t callers) : stream_(callers), own_(false) {}
  ~Stream() {
    if (own_) VPARITY_CUDA_LOG(cudaStreamDestroy(stream_));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
  bool own_ = true;
};

class CudaDevice final : public cuda::KernelDevice {
 public:
  template <class... OwnOrCallers>
  explicit CudaDevice(int index, OwnOrCallers... stream)
      : index_(selected(index)), stream_(stream...) {}

  std::byte* allocate(std::size_t bytes) override {
    select();
    void* memory = nullptr;
    VPARITY_CUDA_CHECK(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)));
    return static_cast<std::byte*>(memory);
  }

  void release(std::byte* memory) noexcept override {
    VPARITY_CUDA_LOG(cudaStreamSynchronize(stream_.get()));
    VPARITY_CUDA_LOG(cudaFree(memory));
  }

  void copy_in(std::byte* to, const std::byte* from, std::size_t bytes) override {
    enqueue_copy(to, from, bytes, cudaMemcpyHostToDevice);
    // Page-locked memory, and memory that the device reads through the host's page tables, may
    // still be read when the call returns.
    wait();
  }

  void copy_out(std::byte* to, const std::byte* from, std::size_t bytes) override {
    enqueue_copy(to, from, bytes, cudaMemcpyDeviceToHost);
  }

  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    enqueue_copy(to, from, bytes, cudaMemcpyDeviceToDevice);
  }

  void fill(std::byte* to, int byte, std::size_t bytes) override {
    select();
    VPARITY_CUDA_CHECK(cudaMemsetAsync(to, byte, bytes, stream_.get()));
  }

  void wait() override { VPARITY_CUDA_CHECK(cudaStreamSynchronize(stream_.get())); }

  void* stream() override { return stream_.get(); }

  std::int64_t cache_bytes() const override {
    int bytes = 0;
    VPARITY_CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, index_));
    return bytes;
  }

  cuda::Kernels& kernels() override { return *kernels_; }

 private:
  /// Makes the device the calling thread's current one.
  static int selected(int index) {
    const DevicePresence present = cuda_device_presence();
    if (present.count == 0) throw DeviceError("no CUDA device: " + present.reason);
    if (index < 0 || index >= present.count)
      throw DeviceError(fmt::format("CUDA device {}: there are {}", index, present.count));
    VPARITY_CUDA_CHECK(cudaSetDevice(index));
    return index;
  }

  void select() const { VPARITY_CUDA_CHECK(cudaSetDevice(index_)); }

  void enqueue_copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaMemcpyKind kind) {
    select();
    VPARITY_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream_.get()));
  }

  int index_;
  Stream stream_;
  std::unique_ptr<cuda::Kernels> kernels_ = cuda::make_cuda_kernels(stream_.get());
};

}  // namespace

std::unique_ptr<Device> make_cuda_device(int index) { return std::make_unique<CudaDevice>(index); }

std::unique_ptr<Device> make_cuda_device(int index, void* stream) {
  return std::make_unique<CudaDevice>(index, static_cast<cudaStream_t>(stream));
}

}  // namespace vparity
