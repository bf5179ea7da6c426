// Bytes per second of both passes at a real vocabulary, beside what memory gives for the same
// bytes: a plain sum (one read) and a copy (one read, one write).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "cpu/row_kernels.h"

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

/// Floor of the forward: adds the same bytes as 64-bit integers.
void read_sum(benchmark::State& state, DType dtype) {
  const std::size_t bytes = static_cast<std::size_t>(state.range(0) * vocab) * size_of(dtype);
  std::vector<std::uint64_t> words(bytes / sizeof(std::uint64_t), 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::accumulate(words.begin(), words.end(), std::uint64_t{0}));
  }
  report(state, bytes);
}

/// Floor of the backward.
void copy(benchmark::State& state, DType dtype) {
  Logits from(dtype, state.range(0));
  Logits to(dtype, state.range(0));
  for (auto _ : state) {
    std::memcpy(to.bytes().data(), from.bytes().data(), from.bytes().size());
    benchmark::ClobberMemory();
  }
  report(state, 2 * from.bytes().size());
}

constexpr Transform plain{};
constexpr Transform scaled{0.7F};
constexpr Transform capped{1.0F, 30.0F};

#define VPARITY_ROWS Arg(16)->Arg(128)->Unit(benchmark::kMillisecond)
#define VPARITY_BENCHMARKS(TYPE)                                                                 \
  BENCHMARK_CAPTURE(read_sum, TYPE, DType::TYPE)->VPARITY_ROWS;                                  \
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
