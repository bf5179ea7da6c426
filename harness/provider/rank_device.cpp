#include "harness/provider/rank_device.h"

#include "device/simulated/simulated_device.h"
#include "harness/machine/cache.h"
#include "harness/machine/host.h"
#include "harness/provider/device_session.h"
#include "vparity/errors.h"
#include "vparity/host_staged_communicator.h"
#if VPARITY_WITH_CUDA
#include "vparity/cuda_device.h"
#include "vparity/cuda_presence.h"
#endif
#if VPARITY_WITH_NCCL
#include "vparity/nccl_communicator.h"
#endif

namespace vparity::harness {
namespace {

/// Ranks take the GPUs in turn, and share them where there are more ranks.
std::unique_ptr<Device> cuda_device(ProcessGroups groups) {
#if VPARITY_WITH_CUDA
  const int rank = groups.dp.rank() * groups.tp.size() + groups.tp.rank();
  const DevicePresence present = cuda_device_presence();
  if (present.count == 0) throw DeviceError("no CUDA device: " + present.reason);
  return make_cuda_device(rank % present.count);
#else
  static_cast<void>(groups);
  throw DeviceError("this build has no CUDA");
#endif
}

std::unique_ptr<DeviceCommunicator> device_group(const Problem& problem, Communicator& tp,
                                                 Device& device) {
  if (problem.transport != Transport::nccl) return make_host_staged_communicator(tp, device);
#if VPARITY_WITH_NCCL
  return make_nccl_communicator(tp, device);
#else
  throw DeviceError("this build has no NCCL");
#endif
}

Processors cuda_processors() {
#if VPARITY_WITH_CUDA
  const int count = cuda_device_presence().count;
  if (count > 0) return {count, make_cuda_device(0)->cache_bytes()};
#endif
  return {};
}

}  // namespace

Processors processors_of(Backend backend) {
  if (backend == Backend::cuda) return cuda_processors();
  return {usable_cores(), last_level_cache_bytes()};
}

std::unique_ptr<KernelSession> make_device_session(const Problem& problem, ProcessGroups groups,
                                                   const ShardColumns& own) {
  auto device =
      problem.backend == Backend::cuda_sim ? cuda::make_simulated_device() : cuda_device(groups);
  auto tp = device_group(problem, groups.tp, *device);
  return session_on_device(problem, groups, own, std::move(device), std::move(tp));
}

}  // namespace vparity::harness
