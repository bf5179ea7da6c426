// The promises of modes `gather` and `reproducible` (semantics 6): the bits do not depend on how
// the work is split. Those of `reproducible` are also the same on every machine, and have the
// hashes below.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "tests/support/run_ranks.h"
#include "tests/support/sharded_problem.h"
#include "vparity/policy_statistics.h"

namespace vparity::testing {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// FNV-1a, 64 bits (Fowler, Noll, Vo), over the bits of the floats.
class BitHash {
 public:
  void add(const std::vector<float>& values) {
    for (const float value : values) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      for (int shift = 0; shift < 32; shift += 8) {
        hash_ = (hash_ ^ ((bits >> shift) & 0xFF)) * 0x100000001B3U;
      }
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

/// Random numbers that are the same on every machine: they use no distribution of a library.
class Numbers {
 public:
  /// In steps of 2^-20 between -`largest` and `largest`, most of them near 0.
  float next(float largest) {
    const auto integer = [&] { return static_cast<std::int32_t>(random_()) >> 11; };  // 21 bits
    const double sum = integer() + integer() + integer();
    return static_cast<float>(sum / 3 * 0x1p-20 * static_cast<double>(largest));
  }
  std::int64_t below(std::int64_t bound) { return static_cast<std::int64_t>(random_()) % bound; }
  std::vector<float> vector(std::int64_t count, float largest) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(next(largest));
    return values;
  }

 private:
  std::mt19937 random_{20260916};
};

/// A row of each kind: spread, flat, one peak, far from 0, masked in part and but for one, without
/// a number, with a NaN and with an infinity.
Problem all_kinds_of_rows(std::int64_t vocab) {
  constexpr std::int64_t rows = 9;
  Numbers numbers;
  Problem problem;
  problem.vocab = vocab;
  problem.id_columns = 2;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t v = 0; v < vocab; ++v) {
      const float x = numbers.next(row == 0 ? 60.0F : 12.0F);
      const float of_kind[rows] = {x,
                                   row % 2 == 0 ? -3.5F : 2.0F,
                                   v == vocab / 3 ? 30.0F : x / 16,
                                   x + 10000,
                                   numbers.below(3) == 0 ? x : -infinity,
                                   v == vocab - 1 ? 1.0F : -infinity,
                                   -infinity,
                                   v == vocab / 2 ? nan : x,
                                   v == 1 ? infinity : x};
      problem.logits.push_back(of_kind[row]);
    }
    problem.ids.push_back(row == 1 ? problem.options.ignore_index : numbers.below(vocab));
    problem.ids.push_back(row == 5 ? vocab - 1 : numbers.below(vocab));
  }
  problem.grad_logprob = numbers.vector(rows * 2, 2);
  problem.grad_entropy = numbers.vector(rows, 1);
  problem.grad_loss = numbers.vector(rows, 3);
  return problem;
}

struct Case {
  const char* name;
  DType dtype;
  DType gradient_dtype;
  std::int64_t vocab;
  Options options;
  std::uint64_t hash;  ///< of mode `reproducible`
};

const Case cases[] = {
    {"fp32", DType::fp32, DType::fp32, 1003, {}, 0x27B6AED93CF18CF8U},
    {"bf16", DType::bf16, DType::bf16, 1003, {}, 0xA9101C5C0744AF94U},
    {"fp16", DType::fp16, DType::fp16, 1003, {}, 0x1E52571E8A0FBCC6U},
    {"bf16_to_fp32", DType::bf16, DType::fp32, 301, {.z_loss = 1e-3F}, 0x42725356A6FFF089U},
    {"long_row", DType::fp32, DType::fp32, 40001, {}, 0xDF02332EC94B9FDBU},
    {"temperature", DType::fp32, DType::fp32, 301, {.temperature = 0.7F}, 0xBB0335EDB7A62224U},
    {"smallest_temperature",
     DType::fp32,
     DType::fp32,
     301,
     {.temperature = 1e-45F},
     0x48092BCD520C8618U},
    {"softcap", DType::fp16, DType::fp32, 2003, {.softcap = 30.0F}, 0xD3FC942C7FC8C03EU},
    {"all_options",
     DType::bf16,
     DType::bf16,
     1030,
     {.temperature = 1.3F, .softcap = 5.0F, .z_loss = 0.01F, .reduction = Reduction::mean},
     0x7D7B5EA7BFE48F42U},
};

Problem problem_of(const Case& one, Mode mode) {
  Problem problem = all_kinds_of_rows(one.vocab);
  problem.options = one.options;
  problem.options.mode = mode;
  problem.options.batch_invariant = true;
  problem.dtype = one.dtype;
  problem.gradient_dtype = one.gradient_dtype;
  return problem;
}

std::uint64_t hash_of(const Outcome& outcome) {
  BitHash hash;
  for (const auto* output :
       {&outcome.logprob, &outcome.entropy, &outcome.lse, &outcome.loss, &outcome.gradient}) {
    hash.add(*output);
  }
  return hash.value();
}

/// This rank alone, on all rows and columns.
Outcome solve_alone(Communicator& world, const Problem& problem) {
  const auto alone = world.split(world.rank(), 0);
  return solve(Grid(*alone, 1).groups(), problem);
}

void choose_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// Runs `body` with each instruction set of this processor and several numbers of ranks; with the
/// first set, which is the default, with more of them.
void on_every_target(const std::function<void(const std::vector<int>& sizes)>& body) {
  std::vector<int> sizes{3, 8};
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    choose_target(target);
    body(sizes);
    sizes = {4};
  }
  choose_target(0);
}

/// As even as possible, the rest on the last rank.
std::vector<std::int64_t> rows_over(int dp, std::int64_t rows) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(dp), rows / dp);
  all.back() += rows % dp;
  return all;
}

void expect_hash_on_grids(Communicator& world, Problem problem, std::uint64_t expected) {
  for (int tp = 1; tp <= world.size(); ++tp) {
    if (world.size() % tp != 0) continue;
    const Grid grid(world, tp);
    problem.dp_rows = rows_over(world.size() / tp, problem.rows());
    for (const Layout layout : {Layout::ceil, Layout::balanced, Layout::padded}) {
      for (const std::int64_t chunk : {0, 4}) {
        problem.layout = layout;
        problem.options.chunk = chunk;
        EXPECT_EQ(hash_of(solve(grid.groups(), problem)), expected)
            << "tp " << tp << " of " << world.size() << ", layout " << static_cast<int>(layout)
            << ", chunk " << chunk;
      }
    }
  }
}

/// Without an expected hash, the hash of one rank alone is expected.
void expect_hash_on_grids_of(const std::vector<int>& sizes, const Problem& problem,
                             std::optional<std::uint64_t> expected) {
  for (const int size : sizes) {
    run_ranks(size, [&](Communicator& world) {
      expect_hash_on_grids(world, problem,
                           expected ? *expected : hash_of(solve_alone(world, problem)));
    });
  }
}

TEST(SameBits, ReproducibleHasTheHashesOfTheRepositoryOnEveryTargetAndGrid) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const Problem problem = problem_of(one, Mode::reproducible);
    on_every_target(
        [&](const std::vector<int>& sizes) { expect_hash_on_grids_of(sizes, problem, one.hash); });
  }
}

TEST(SameBits, GatherHasTheHashOfOneRankOnEveryGrid) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Problem problem = problem_of(one, Mode::gather);
    problem.options.label_smoothing = 0.1F;
    on_every_target(
        [&](const std::vector<int>& sizes) { expect_hash_on_grids_of(sizes, problem, {}); });
  }
}

// The CUDA kernels, on simulated devices.
TEST(SameBits, ReproducibleHasTheHashesOfTheRepositoryOnDevices) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Problem problem = problem_of(one, Mode::reproducible);
    problem.on_device = true;
    expect_hash_on_grids_of({3, 4}, problem, one.hash);
  }
}

TEST(SameBits, GatherHasTheHashOfOneDeviceOnEveryGridOfThem) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    Problem problem = problem_of(one, Mode::gather);
    problem.options.label_smoothing = 0.1F;
    problem.on_device = true;
    expect_hash_on_grids_of({4}, problem, {});
  }
}

std::vector<float> part(const std::vector<float>& values, std::int64_t row, std::int64_t width) {
  return {values.begin() + row * width, values.begin() + (row + 1) * width};
}

/// Row `row` as a batch of its own.
Problem single_row(Problem problem, std::int64_t row) {
  const Problem all = problem;
  for (auto* values :
       {&problem.logits, &problem.grad_logprob, &problem.grad_entropy, &problem.grad_loss}) {
    *values = part(*values, row, static_cast<std::int64_t>(values->size()) / all.rows());
  }
  problem.ids = {all.ids.begin() + 2 * row, all.ids.begin() + 2 * row + 2};
  return problem;
}

/// Its part of the outputs of all rows.
Outcome row_of(const Outcome& all, std::int64_t row, const Problem& problem) {
  Outcome one;
  one.logprob = part(all.logprob, row, problem.id_columns);
  one.entropy = part(all.entropy, row, 1);
  one.lse = part(all.lse, row, 1);
  one.loss = part(all.loss, row, 1);
  one.gradient = part(all.gradient, row, problem.vocab);
  return one;
}

void expect_rows_alike_in_any_batch(bool on_device) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    for (const Mode mode : {Mode::gather, Mode::reproducible}) {
      Problem problem = problem_of(one, mode);
      problem.on_device = on_device;
      problem.options.reduction = Reduction::sum;  // the mean's divisor counts the batch
      run_ranks(2, [&](Communicator& world) {
        const Grid grid(world, 2);
        const Outcome all = solve(grid.groups(), problem);
        for (std::int64_t row = 0; row < problem.rows(); ++row) {
          const Outcome alone = solve(grid.groups(), single_row(problem, row));
          EXPECT_EQ(hash_of(alone), hash_of(row_of(all, row, problem))) << "row " << row;
        }
      });
    }
  }
}

TEST(SameBits, ARowIsTheSameInAnyBatch) { expect_rows_alike_in_any_batch(false); }

TEST(SameBits, ARowIsTheSameInAnyBatchOnDevices) { expect_rows_alike_in_any_batch(true); }

}  // namespace
}  // namespace vparity::testing
