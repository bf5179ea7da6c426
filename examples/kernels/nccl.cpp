// Cross-entropy on all GPUs of this machine, one rank each, over NCCL. All logits are 0, over 840
// columns. In a trainer the ranks are processes: see mpi.cpp.
#include <vparity/cuda_device.h>
#include <vparity/cuda_presence.h>
#include <vparity/device_policy_statistics.h>
#include <vparity/nccl_communicator.h>
#include <vparity/staged_memory.h>
#include <vparity/thread_communicator.h>

#include <cstdio>
#include <span>
#include <vector>

int main() {
  const vparity::DevicePresence present = vparity::cuda_device_presence();
  if (present.count == 0) {
    std::printf("skipped: no CUDA device for NCCL %s: %s\n", vparity::nccl_version().c_str(),
                present.reason.c_str());
    return 77;
  }
  constexpr std::int64_t vocab = 840, tokens = 1;
  const auto split =
      vparity::VocabularySplit::of_layout(vparity::Layout::balanced, vocab, present.count);

  vparity::run_thread_ranks(split.tp(), [&](vparity::Communicator& tp) {
    const auto dp = tp.split(tp.rank(), 0);
    const auto device = vparity::make_cuda_device(tp.rank());
    const auto gpus = vparity::make_nccl_communicator(tp, *device);
    const vparity::ShardColumns own = split.shard(tp.rank());

    const std::vector<float> host(own.width, 0.0F);
    const std::int64_t label = 5;
    vparity::StagedMemory logits(*device), labels(*device);
    const vparity::Rows rows =
        logits.copy_in(vparity::Rows{std::as_bytes(std::span(host)).data(), vparity::DType::fp32,
                                     tokens, own.width},
                       own.width);

    vparity::DevicePolicyStatistics kernels({tp, *dp}, *gpus, *device, own, vocab, {});
    const auto results =
        kernels.forward({rows, own}, labels.copy_in(vparity::Replicated(&label, tokens)), {});
    if (tp.rank() == 0) std::printf("The loss is %.4f = ln 840.\n", results.loss_sum);
  });
}
