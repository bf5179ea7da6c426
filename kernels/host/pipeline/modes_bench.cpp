// Forward and backward of each mode over thread ranks, by two calls and by the fused call, and the
// collectives of a forward. The cost of mode `reproducible` is the ratio of two lines of one run,
// best with --benchmark_enable_random_interleaving.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "vparity/policy_statistics.h"
#include "vparity/thread_communicator.h"

namespace vparity {
namespace {

constexpr std::int64_t vocab = 151936;

/// One rank's shard: logits in [-8, 8), written before anything is timed.
class Shard {
 public:
  Shard(DType dtype, std::int64_t rows, const ShardColumns& columns)
      : dtype_(dtype), rows_(rows), columns_(columns), logits_(bytes()), gradient_(bytes()) {
    std::minstd_rand random(static_cast<unsigned>(columns.begin) + 1);
    for (std::size_t at = 0; at < logits_.size(); at += size_of(dtype)) {
      const auto value = static_cast<float>(random() >> 16) * 0x1p-11F - 8;
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      if (dtype == DType::bf16) bits >>= 16;
      std::memcpy(&logits_[at], &bits, size_of(dtype));
    }
  }

  VocabShard logits() const { return {{logits_.data(), dtype_, rows_, columns_.width}, columns_}; }
  MutableVocabShard gradient() {
    return {{gradient_.data(), dtype_, rows_, columns_.width}, columns_};
  }

 private:
  std::size_t bytes() const {
    return static_cast<std::size_t>(rows_ * columns_.width) * size_of(dtype_);
  }

  DType dtype_;
  std::int64_t rows_;
  ShardColumns columns_;
  std::vector<std::byte> logits_, gradient_;
};

/// The rows of all benchmarks, small enough to be timed many times.
struct Call {
  explicit Call(std::int64_t rows) : label(static_cast<std::size_t>(rows)) {
    for (std::size_t t = 0; t < label.size(); ++t) {
      label[t] = static_cast<std::int64_t>(t * 7919) % vocab;
    }
    logprob = entropy = loss = std::vector<float>(label.size());
    upstream = std::vector<float>(label.size(), 0.5F);
  }

  std::vector<std::int64_t> label;
  std::vector<float> logprob, entropy, loss, upstream;
  SavedStatistics saved;
};

/// The calls that are timed.
struct Kernels {
  Mode mode;
  bool fused = false;
};

void forward_backward(PolicyStatistics& kernels, bool fused, Shard& shard, Call& call) {
  const auto rows = static_cast<std::int64_t>(call.label.size());
  const Replicated<const std::int64_t> ids(call.label.data(), rows);
  const StatisticsViews out{
      {call.logprob.data(), rows}, {call.entropy.data(), rows}, {}, {call.loss.data(), rows}};
  const UpstreamGradients upstream{{}, {}, {call.upstream.data(), rows}};
  if (fused) {
    kernels.forward_backward(shard.logits(), ids, upstream, out, shard.gradient());
    return;
  }
  kernels.forward(shard.logits(), ids, out, &call.saved);
  kernels.backward(shard.logits(), ids, call.saved, upstream, shard.gradient());
}

/// Times the second of two calls on this rank, because the first one makes buffers that are kept;
/// the seconds from a barrier to the next, as rank 0 sees them.
double run(Communicator& tp, Kernels timed, Shard& shard, Call& call, std::int64_t& collectives) {
  Options options;
  options.mode = timed.mode;
  const auto alone = tp.split(tp.rank(), 0);
  PolicyStatistics kernels({tp, *alone}, shard.logits().columns(), vocab, options);
  forward_backward(kernels, timed.fused, shard, call);
  const std::int64_t before = tp.counters().collectives;
  tp.barrier();
  const auto start = std::chrono::steady_clock::now();
  forward_backward(kernels, timed.fused, shard, call);
  tp.barrier();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  collectives = tp.counters().collectives - before;
  return seconds.count();
}

void timed_calls(benchmark::State& state, Kernels timed, DType dtype) {
  const auto ranks = static_cast<int>(state.range(0));
  const std::int64_t rows = state.range(1);
  const auto split = VocabularySplit::of_layout(Layout::ceil, vocab, ranks);
  std::vector<std::unique_ptr<Shard>> shards;
  for (int rank = 0; rank < ranks; ++rank) {
    shards.push_back(std::make_unique<Shard>(dtype, rows, split.shard(rank)));
  }
  std::vector<Call> calls(static_cast<std::size_t>(ranks), Call(rows));
  std::int64_t collectives = 0;
  for (auto _ : state) {
    run_thread_ranks(ranks, [&](Communicator& tp) {
      const auto rank = static_cast<std::size_t>(tp.rank());
      std::int64_t own = 0;
      const double seconds = run(tp, timed, *shards[rank], calls[rank], own);
      if (tp.rank() != 0) return;
      state.SetIterationTime(seconds);
      collectives = own;
    });
  }
  state.counters["collectives"] = static_cast<double>(collectives);
  state.SetItemsProcessed(state.iterations() * rows * vocab);
}

#define VPARITY_MODES(TYPE)                                                                      \
  BENCHMARK_CAPTURE(timed_calls, fast_##TYPE, Kernels{Mode::fast}, DType::TYPE)->VPARITY_SHAPES; \
  BENCHMARK_CAPTURE(timed_calls, fused_##TYPE, Kernels{Mode::fast, true}, DType::TYPE)           \
      ->VPARITY_SHAPES;                                                                          \
  BENCHMARK_CAPTURE(timed_calls, reproducible_##TYPE, Kernels{Mode::reproducible}, DType::TYPE)  \
      ->VPARITY_SHAPES;                                                                          \
  BENCHMARK_CAPTURE(timed_calls, gather_##TYPE, Kernels{Mode::gather}, DType::TYPE)->VPARITY_SHAPES
#define VPARITY_SHAPES     \
  ArgNames({"tp", "rows"}) \
      ->Args({1, 128})     \
      ->Args({2, 128})     \
      ->Args({4, 128})     \
      ->Args({2, 1})       \
      ->UseManualTime()    \
      ->Unit(benchmark::kMillisecond)

VPARITY_MODES(fp32);
VPARITY_MODES(bf16);

}  // namespace
}  // namespace vparity
