// Bytes per second of both passes at a real vocabulary, and of their floors: one read, or one read
// and one non-temporal write, of the same bytes at the best prefetch distance. The share of the
// floor is the ratio of two lines of one run.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "host/simd/memory_floor_bench.h"
#include "host/simd/row_kernels.h"

namespace vparity::cpu {
namespace {

constexpr std::int64_t vocab = 151936;
constexpr ShardColumns columns{0, vocab, vocab};

/// Rows of random logits in [-8, -1), which are normal numbers in every storage type.
class Logits {
 public:
  Logits(DType dtype, std::int64_t rows)
      : dtype_(dtype),
        rows_(rows),
        bytes_(static_cast<std::size_t>(rows * vocab) * size_of(dtype)) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-8, -1);
    for (std::size_t i = 0; i < bytes_.size(); i += size_of(dtype)) store(uniform(random), i);
  }

  VocabShard shard() { return {{bytes_.data(), dtype_, rows_, vocab}, columns}; }
  MutableVocabShard gradient() { return {{bytes_.data(), dtype_, rows_, vocab}, columns}; }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  /// Truncated to the storage type; fp16's bias is 112 less than fp32's.
  void store(float value, std::size_t at) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (dtype_ == DType::bf16) bits >>= 16;
    if (dtype_ == DType::fp16) bits = 0x8000 | ((bits & 0x7FFFFFFF) - (112U << 23)) >> 13;
    std::memcpy(&bytes_[at], &bits, size_of(dtype_));
  }

  DType dtype_;
  std::int64_t rows_;
  std::vector<std::byte> bytes_;
};

void report(benchmark::State& state, std::size_t bytes) {
  state.SetItemsProcessed(state.iterations() * state.range(0) * vocab);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void forward_pass(benchmark::State& state, DType dtype, const Transform& transform, bool with_a) {
  Logits logits(dtype, state.range(0));
  std::vector<Partial<RowSums>> sums(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    forward_rows(logits.shard(), transform, with_a, sums);
    benchmark::ClobberMemory();
  }
  report(state, logits.bytes().size());
}

void backward_pass(benchmark::State& state, DType dtype, const Transform& transform) {
  Logits logits(dtype, state.range(0));
  Logits gradient(dtype, state.range(0));
  const std::vector<RowGradient> rows(static_cast<std::size_t>(state.range(0)),
                                      {RowGradient::Kind::formula, 8, 9, 1, 0.1, 0});
  for (auto _ : state) {
    backward_rows(logits.shard(), transform, rows, {}, gradient.gradient());
    benchmark::ClobberMemory();
  }
  report(state, 2 * logits.bytes().size());
}

/// As many lines as the benchmark's logits take, written once, so that they are memory of their
/// own.
std::vector<Line> lines_of(const benchmark::State& state, DType dtype) {
  const std::size_t bytes = static_cast<std::size_t>(state.range(0) * vocab) * size_of(dtype);
  return std::vector<Line>((bytes + cache_line - 1) / cache_line, Line{{1, 2, 3, 4, 5, 6, 7, 8}});
}

/// `pass(i)` runs at prefetch_distances[i].
template <class Pass>
void floor_pass(benchmark::State& state, std::size_t bytes, const Pass& pass) {
  const std::size_t best = best_prefetch_distance(pass);
  for (auto _ : state) {
    pass(best);
    benchmark::ClobberMemory();
  }
  state.SetLabel("prefetch " + std::to_string(prefetch_distances[best]));
  report(state, bytes);
}

/// Floor of the forward.
void read(benchmark::State& state, DType dtype) {
  const std::vector<Line> lines = lines_of(state, dtype);
  floor_pass(state, lines.size() * cache_line,
             [&](std::size_t i) { benchmark::DoNotOptimize(read_floors[i](lines)); });
}

/// Floor of the backward.
void copy(benchmark::State& state, DType dtype) {
  const std::vector<Line> from = lines_of(state, dtype);
  std::vector<Line> to = lines_of(state, dtype);
  floor_pass(state, 2 * from.size() * cache_line, [&](std::size_t i) { copy_floors[i](from, to); });
}

constexpr Transform plain{};
constexpr Transform scaled{0.7F};
constexpr Transform capped{1.0F, 30.0F};

#define VPARITY_ROWS Arg(16)->Arg(128)->Unit(benchmark::kMillisecond)
#define VPARITY_BENCHMARKS(TYPE)                                                                 \
  BENCHMARK_CAPTURE(read, TYPE, DType::TYPE)->VPARITY_ROWS;                                      \
  BENCHMARK_CAPTURE(forward_pass, TYPE, DType::TYPE, plain, false)->VPARITY_ROWS;                \
  BENCHMARK_CAPTURE(forward_pass, TYPE##_temperature, DType::TYPE, scaled, false)->VPARITY_ROWS; \
  BENCHMARK_CAPTURE(forward_pass, TYPE##_softcap, DType::TYPE, capped, false)->VPARITY_ROWS;     \
  BENCHMARK_CAPTURE(forward_pass, TYPE##_smoothing, DType::TYPE, plain, true)->VPARITY_ROWS;     \
  BENCHMARK_CAPTURE(copy, TYPE, DType::TYPE)->VPARITY_ROWS;                                      \
  BENCHMARK_CAPTURE(backward_pass, TYPE, DType::TYPE, plain)->VPARITY_ROWS;                      \
  BENCHMARK_CAPTURE(backward_pass, TYPE##_temperature, DType::TYPE, scaled)->VPARITY_ROWS;       \
  BENCHMARK_CAPTURE(backward_pass, TYPE##_softcap, DType::TYPE, capped)->VPARITY_ROWS

VPARITY_BENCHMARKS(fp32);
VPARITY_BENCHMARKS(bf16);
VPARITY_BENCHMARKS(fp16);

}  // namespace
}  // namespace vparity::cpu
