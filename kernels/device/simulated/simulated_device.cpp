#include "device/simulated/simulated_device.h"

#include <sys/mman.h>

#include <cstring>
#include <new>
#include <unordered_map>
#include <utility>

#include "device/kernels/launches.cuh"
#include "device/simulated/simulated_launcher.h"
#include "vparity/errors.h"

namespace vparity::cuda {
namespace {

constexpr std::align_val_t alignment{256};
constexpr std::size_t sparse_bytes = std::size_t{1} << 30;

/// For an allocation of at least sparse_bytes: untouched pages take no memory, as rows may lie far
/// apart.
std::byte* sparse(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw DeviceError("simulated device: no address space left");
  return static_cast<std::byte*>(memory);
}

class SimulatedDevice final : public KernelDevice {
 public:
  explicit SimulatedDevice(std::unique_ptr<Kernels> kernels) : kernels_(std::move(kernels)) {}
  ~SimulatedDevice() override {
    for (const auto& [memory, bytes] : sizes_) give_back(memory, bytes);
  }

  std::byte* allocate(std::size_t bytes) override {
    std::byte* const memory = bytes >= sparse_bytes ? sparse(bytes) : filled(bytes);
    sizes_.emplace(memory, bytes);
    return memory;
  }
  void release(std::byte* memory) noexcept override {
    const auto found = sizes_.find(memory);
    if (found == sizes_.end()) return;
    give_back(memory, found->second);
    sizes_.erase(found);
  }

  void copy_in(std::byte* to, const std::byte* from, std::size_t bytes) override {
    copy(to, from, bytes);
  }
  void copy_out(std::byte* to, const std::byte* from, std::size_t bytes) override {
    copy(to, from, bytes);
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void fill(std::byte* to, int byte, std::size_t bytes) override {
    if (bytes > 0) std::memset(to, byte, bytes);
  }
  void wait() override {}
  void* stream() override { return nullptr; }
  Kernels& kernels() override { return *kernels_; }

 private:
  static std::byte* filled(std::size_t bytes) {
    auto* const memory = static_cast<std::byte*>(::operator new(bytes, alignment));
    std::memset(memory, 0xFF, bytes);
    return memory;
  }
  static void give_back(std::byte* memory, std::size_t bytes) noexcept {
    if (bytes >= sparse_bytes) {
      munmap(memory, bytes);
    } else {
      ::operator delete(memory, alignment);
    }
  }

  std::unordered_map<std::byte*, std::size_t> sizes_;
  std::unique_ptr<Kernels> kernels_;
};

}  // namespace

std::unique_ptr<Kernels> make_simulated_kernels() {
  return std::make_unique<LaunchedKernels<SimulatedLauncher>>(SimulatedLauncher());
}

std::unique_ptr<Device> make_simulated_device() {
  return make_simulated_device(make_simulated_kernels());
}

std::unique_ptr<Device> make_simulated_device(std::unique_ptr<Kernels> kernels) {
  return std::make_unique<SimulatedDevice>(std::move(kernels));
}

}  // namespace vparity::cuda
