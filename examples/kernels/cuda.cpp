// Cross-entropy and its gradient on a GPU that two ranks share. All logits are 0, over 8 columns.
#include <vparity/cuda_device.h>
#include <vparity/cuda_presence.h>
#include <vparity/device_policy_statistics.h>
#include <vparity/host_staged_communicator.h>
#include <vparity/staged_memory.h>
#include <vparity/thread_communicator.h>

#include <cstdio>
#include <span>
#include <vector>

int main() {
  if (const auto present = vparity::cuda_device_presence(); present.count == 0) {
    std::printf("skipped: no CUDA device: %s\n", present.reason.c_str());
    return 77;
  }
  constexpr std::int64_t vocab = 8, tokens = 1;
  const auto split = vparity::VocabularySplit::of_layout(vparity::Layout::ceil, vocab, 2);

  vparity::run_thread_ranks(split.tp(), [&](vparity::Communicator& tp) {
    const auto dp = tp.split(tp.rank(), 0);
    const auto device = vparity::make_cuda_device(0);  // nccl.cpp has a GPU for each rank
    const auto devices = vparity::make_host_staged_communicator(tp, *device);
    const vparity::ShardColumns own = split.shard(tp.rank());

    // A trainer's tensors are on the device already; this program's are copied there.
    std::vector<float> host(own.width, 0.0F);
    const vparity::MutableRows host_rows{std::as_writable_bytes(std::span(host)).data(),
                                         vparity::DType::fp32, tokens, own.width};
    const std::int64_t label = 5;
    const float upstream = 1;
    vparity::StagedMemory logits(*device), labels(*device);
    vparity::StagedUpstream upstreams(*device);
    const vparity::MutableRows rows = logits.copy_in(host_rows, own.width);
    const vparity::VocabShard shard({rows.data, rows.dtype, rows.rows, rows.row_stride}, own);
    const auto ids = labels.copy_in(vparity::Replicated(&label, tokens));

    vparity::DevicePolicyStatistics kernels({tp, *dp}, *devices, *device, own, vocab, {});
    vparity::DeviceSavedStatistics saved(*device);
    const auto results = kernels.forward(shard, ids, {}, &saved);
    kernels.backward(shard, ids, saved, upstreams.copy_in({.loss = {&upstream, tokens}}),
                     {rows, own});  // in place: the gradient takes the memory of the logits
    logits.copy_out(host_rows, own.width);
    device->wait();

    if (own.owns(label)) {
      std::printf("The loss is %.4f = ln 8 and the gradient %.3f = 1/8 - 1 at the label.\n",
                  results.loss_sum, host[label - own.begin]);
    }
  });
}
