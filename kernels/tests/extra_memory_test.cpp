// The memory that the calls allocate, counted at operator new.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

#include "vparity/policy_statistics.h"
#include "vparity/thread_communicator.h"

namespace {

std::atomic<std::int64_t> live_bytes, most_bytes, allocations;

void* counted_or_null(std::size_t size) noexcept {
  void* const memory = std::malloc(size);
  if (memory == nullptr) return nullptr;
  const auto bytes = static_cast<std::int64_t>(malloc_usable_size(memory));
  const std::int64_t live = live_bytes += bytes;
  for (std::int64_t most = most_bytes; live > most;) {
    if (most_bytes.compare_exchange_weak(most, live)) break;
  }
  ++allocations;
  return memory;
}

void* counted(std::size_t size) {
  void* const memory = counted_or_null(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void uncounted(void* memory) noexcept {
  if (memory != nullptr) live_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
// A sanitizer's runtime does not implement these by the functions above.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted_or_null(size);
}
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete[](void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncounted(memory); }
void operator delete[](void* memory, std::size_t) noexcept { uncounted(memory); }

namespace vparity {
namespace {

constexpr int tp = 2;

struct Usage {
  std::int64_t most_bytes;   ///< at one time, of all ranks
  std::int64_t allocations;  ///< of all ranks
};

/// One rank's problem.
struct Shard {
  Shard(Communicator& world, std::int64_t row_count, std::int64_t vocab, const Options& options)
      : dp(world.split(world.rank(), 0)),
        own(VocabularySplit::of_layout(Layout::balanced, vocab, tp).shard(world.rank())),
        kernels({world, *dp}, own, vocab, options),
        logits(static_cast<std::size_t>(row_count * own.width), 1),
        gradient(logits.size()),
        labels(static_cast<std::size_t>(row_count), 1),
        loss(static_cast<std::size_t>(row_count)),
        rows(row_count) {}

  VocabShard in() const {
    return {{reinterpret_cast<const std::byte*>(logits.data()), DType::fp32, rows, own.width}, own};
  }
  MutableVocabShard to() {
    return {{reinterpret_cast<std::byte*>(gradient.data()), DType::fp32, rows, own.width}, own};
  }
  TokenIds ids() const { return Replicated<const std::int64_t>(labels.data(), rows); }

  void two_calls() {
    SavedStatistics saved;
    kernels.forward(in(), ids(), {.loss = {loss.data(), rows}}, &saved);
    kernels.backward(in(), ids(), saved, {.loss = {loss.data(), rows}}, to());
  }
  void fused() {
    kernels.forward_backward(in(), ids(), {.loss = {logits.data(), rows}},
                             {.loss = {loss.data(), rows}}, to());
  }

  std::unique_ptr<Communicator> dp;
  ShardColumns own;
  PolicyStatistics kernels;
  std::vector<float> logits, gradient;
  std::vector<std::int64_t> labels;
  std::vector<float> loss;
  std::int64_t rows;
};

/// Memory of the second of two calls, because the first may make buffers that are kept; or of the
/// first.
Usage usage(std::int64_t rows, std::int64_t vocab, const Options& options,
            const std::function<void(Shard&)>& call, bool of_first = false) {
  Usage used{};
  run_thread_ranks(tp, [&](Communicator& world) {
    Shard shard(world, rows, vocab, options);
    if (!of_first) call(shard);
    world.barrier();
    const std::int64_t live = live_bytes, before = allocations;
    if (world.rank() == 0) most_bytes = live;
    world.barrier();
    call(shard);
    world.barrier();
    if (world.rank() == 0) used = {most_bytes - live, allocations - before};
  });
  return used;
}

TEST(ExtraMemory, FastTakesLessThanAHundredthOfTheLogits) {
  constexpr std::int64_t rows = 128, vocab = 151936;
  constexpr std::int64_t hundredth = rows * vocab * std::int64_t{sizeof(float)} / 100;
  EXPECT_LT(usage(rows, vocab, {}, [](Shard& shard) { shard.two_calls(); }).most_bytes, hundredth);
  EXPECT_LT(usage(rows, vocab, {}, [](Shard& shard) { shard.fused(); }).most_bytes, hundredth);
}

TEST(ExtraMemory, FusedKeepsTheExponentialsOfAChunkForAnyNumberOfRows) {
  const auto call = [](Shard& shard) { shard.fused(); };
  for (const std::int64_t rows : {64, 256}) {
    const std::int64_t most = usage(rows, 151936, {}, call, true).most_bytes;
    EXPECT_LT(most, tp * (exponentials_bytes + (std::int64_t{1} << 15))) << rows;
    EXPECT_LT(usage(rows, 151936, {.chunk = rows}, call, true).most_bytes, most) << rows;
  }
}

TEST(ExtraMemory, GatherTakesTheGatheredLogitsOfAChunkOnceForAllCalls) {
  constexpr std::int64_t rows = 128, vocab = 4096;
  const auto call = [](Shard& shard) { shard.two_calls(); };
  EXPECT_LT(usage(rows, vocab, {.mode = Mode::gather}, call).most_bytes,
            rows * vocab * std::int64_t{sizeof(float)} / 10);
}

TEST(ExtraMemory, NothingIsAllocatedForASingleRow) {
  for (const Mode mode : {Mode::fast, Mode::gather}) {
    const auto of_rows = [&](std::int64_t rows) {
      return usage(rows, 256, {.mode = mode}, [](Shard& shard) { shard.two_calls(); }).allocations;
    };
    EXPECT_EQ(of_rows(128), of_rows(8)) << static_cast<int>(mode);
  }
}

}  // namespace
}  // namespace vparity
