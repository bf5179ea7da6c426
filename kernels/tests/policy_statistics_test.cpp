// The calls against the reference, and their promises besides the values.
#include "vparity/policy_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/expectations.h"
#include "tests/support/run_ranks.h"

namespace vparity::testing {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Random logits with masked columns, ignored and duplicate ids, signed upstreams.
class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : random_(seed) {}

  Problem make(std::int64_t rows, std::int64_t vocab, int id_columns) {
    Problem problem;
    problem.vocab = vocab;
    problem.id_columns = id_columns;
    std::uniform_int_distribution<std::int64_t> id(0, vocab - 1);
    for (std::int64_t i = 0; i < rows * vocab; ++i) problem.logits.push_back(logit());
    for (std::int64_t i = 0; i < rows * id_columns; ++i) {
      problem.ids.push_back(chance(0.2) ? problem.options.ignore_index : id(random_));
    }
    problem.grad_logprob = normals(rows * id_columns);
    problem.grad_entropy = normals(rows);
    problem.grad_loss = normals(rows);
    return problem;
  }

 private:
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
  float normal() { return std::normal_distribution<float>(0, 3)(random_); }
  float logit() { return chance(0.1) ? -infinity : normal(); }
  std::vector<float> normals(std::int64_t count) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(normal());
    return values;
  }

  std::mt19937 random_;
};

TEST(PolicyStatistics, EveryDtypeStaysWithinTheBoundsOnEveryGrid) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    Problem problem = RandomProblem(1).make(5, 37, 1);
    problem.dtype = problem.gradient_dtype = dtype;
    expect_on_every_grid(problem);
    problem.gradient_dtype = DType::fp32;
    expect_on_every_grid(problem);
  }
}

TEST(PolicyStatistics, AllOptionsTogetherStayWithinTheBounds) {
  Problem problem = RandomProblem(2).make(6, 50, 3);
  problem.options = {.temperature = 0.7F,
                     .softcap = 5.0F,
                     .label_smoothing = 0.1F,
                     .z_loss = 0.01F,
                     .reduction = Reduction::mean,
                     .chunk = 4};
  expect_on_every_grid(problem);
}

TEST(PolicyStatistics, FewerColumnsThanRanks) {
  expect_on_every_grid(RandomProblem(3).make(4, 1, 1));
  expect_on_every_grid(RandomProblem(4).make(4, 3, 2));
}

TEST(PolicyStatistics, DataParallelRanksWithUnequalAndNoRows) {
  Problem problem = RandomProblem(5).make(5, 11, 2);
  problem.options.reduction = Reduction::mean;
  for (const std::vector<std::int64_t>& rows :
       {std::vector<std::int64_t>{4, 1}, {0, 5}, {5, 0}, {2, 0, 2, 1}}) {
    problem.dp_rows = rows;
    expect_on_every_grid(problem);
  }
}

TEST(PolicyStatistics, NoRowsAtAll) {
  Problem problem{.vocab = 8, .logits = {}, .ids = {}, .dp_rows = {0, 0}};
  on_every_grid(problem, [](const Outcome& outcome) {
    EXPECT_EQ(outcome.global.loss_mean, 0);
    EXPECT_EQ(outcome.global.entropy_mean, 0);
    EXPECT_EQ(outcome.global.valid_tokens, 0);
  });
}

TEST(PolicyStatistics, AllLabelsIgnoredGiveAMeanOfZero) {
  Problem problem = RandomProblem(6).make(4, 8, 1);
  problem.ids.assign(4, -100);
  problem.options.reduction = Reduction::mean;
  expect_on_every_grid(problem);
}

TEST(PolicyStatistics, MaskedTargetGivesMinusInfinityAndFiniteGradient) {
  expect_on_every_grid({.vocab = 4, .logits = {0, 0, -infinity, 0}, .ids = {2}, .grad_loss = {1}},
                       {.logprob = {-infinity},
                        .entropy = {std::log(3.0)},
                        .loss = {infinity},
                        .gradient = {1.0 / 3, 1.0 / 3, -1, 1.0 / 3}});
}

/// Rows: NaN, +inf, no valid column; each once with a label and once ignored.
Problem special_rows() {
  const float m = -infinity;
  return {.vocab = 4,
          .logits = {0,        nan, 0, 0, 0, nan, 0, 0, infinity, m, m, m,  //
                     infinity, m,   m, m, m, m,   m, m, m,        m, m, m},
          .ids = {0, -100, 0, -100, 0, -100},
          .grad_loss = {1, 1, 1, 1, 1, 1}};
}

TEST(PolicyStatistics, RowsWithoutNumbersAreNanUnlessIgnored) {
  expect_on_every_grid(special_rows());
  Problem smoothed = special_rows();
  smoothed.options.label_smoothing = 0.1F;
  smoothed.options.softcap = 10.0F;
  expect_on_every_grid(smoothed);
  on_every_grid(special_rows(), [](const Outcome& outcome) {
    EXPECT_EQ(outcome.lse[4], -infinity);
    EXPECT_EQ(outcome.global.degenerate_rows, 1);
    EXPECT_EQ(outcome.global.valid_tokens, 3);
    EXPECT_EQ(outcome.loss[1], 0);
    EXPECT_TRUE(std::isnan(outcome.entropy[1]));
    for (std::size_t v = 4; v < 8; ++v) EXPECT_EQ(outcome.gradient[v], 0);
  });
}

TEST(PolicyStatistics, ANanUpstreamIsNotAnAbsentOne) {
  Problem problem{.vocab = 2, .logits = {0, 0, 0, 0}, .ids = {0, 0}, .grad_loss = {nan, 0}};
  on_every_grid(problem, [](const Outcome& outcome) {
    EXPECT_TRUE(std::isnan(outcome.gradient[0]));
    EXPECT_EQ(outcome.gradient[2], 0);
  });
}

// p = 1/2, 1/2 and 0: p A is infinite, infinite minus the label's infinity, and 0.
TEST(PolicyStatistics, ZeroProbabilityTimesAnInfiniteUpstreamIsZero) {
  expect_on_every_grid(
      {.vocab = 4, .logits = {0, 0, -1000, -2000}, .ids = {1}, .grad_loss = {infinity}},
      {.gradient = {infinity, nan, 0, 0}});
}

TEST(PolicyStatistics, DuplicateIdsAddUp) {
  expect_on_every_grid(
      {.vocab = 2, .logits = {0, 0}, .ids = {1, 1, 0}, .id_columns = 3, .grad_logprob = {1, 2, 4}},
      {.gradient = {0.5, -0.5}});
}

TEST(PolicyStatistics, FastSendsOneMessageOf24BytesPerTokenAndChunk) {
  Problem problem = RandomProblem(7).make(7, 16, 1);
  for (const auto& [chunk, collectives] : {std::pair{0, 1}, {1, 7}, {3, 3}, {7, 1}, {100, 1}}) {
    problem.options.chunk = chunk;
    run_ranks(4, [&, expected = collectives](Communicator& world) {
      const Grid grid(world, 4);
      const Outcome outcome = solve(grid.groups(), problem);
      EXPECT_EQ(outcome.tp_forward, (CommunicationCounters{expected, 24 * 7, 3 * 24 * 7}));
      EXPECT_EQ(outcome.dp_forward.collectives, 1);
      EXPECT_EQ(outcome.tp_backward, CommunicationCounters{});
    });
  }
}

// 7 rows fit into a cache together: a chunk is a group.
TEST(PolicyStatistics, ReproducibleSendsOneMessageMoreThanChunksAndTheSame24BytesPerToken) {
  Problem problem = RandomProblem(7).make(7, 16, 1);
  problem.options.mode = Mode::reproducible;
  for (const auto& [chunk, collectives] : {std::pair{0, 2}, {1, 8}, {3, 4}, {7, 2}, {100, 2}}) {
    problem.options.chunk = chunk;
    run_ranks(4, [&, expected = collectives](Communicator& world) {
      const Grid grid(world, 4);
      const Outcome outcome = solve(grid.groups(), problem);
      EXPECT_EQ(outcome.tp_forward, (CommunicationCounters{expected, 24 * 7, 3 * 24 * 7}));
      EXPECT_EQ(outcome.tp_backward, CommunicationCounters{});
    });
  }
}

// Groups of rows whose widest shard has 2 MiB at most.
TEST(PolicyStatistics, ReproducibleTakesRowsInGroupsThatStayInACache) {
  constexpr std::int64_t vocab = 300000;  // two ranks' shards have 0.6 MB of fp32 each
  Problem problem{.vocab = vocab,
                  .logits = std::vector<float>(8 * vocab, 1.5F),
                  .ids = std::vector<std::int64_t>(8, 3)};
  problem.options.mode = Mode::reproducible;
  run_ranks(2, [&](Communicator& world) {
    const Outcome outcome = solve(Grid(world, 2).groups(), problem);
    EXPECT_EQ(outcome.tp_forward.collectives, 4);  // groups of 3, 3 and 2 rows
  });
}

TEST(PolicyStatistics, FurtherIdsAndSmoothingTravelInTheSameMessage) {
  Problem problem = RandomProblem(8).make(2, 16, 3);
  problem.options.label_smoothing = 0.1F;
  run_ranks(2, [&](Communicator& world) {
    const Grid grid(world, 2);
    const Outcome outcome = solve(grid.groups(), problem);
    EXPECT_EQ(outcome.tp_forward.collectives, 1);
    EXPECT_EQ(outcome.tp_forward.bytes_sent, 2 * (24 + 2 * 4 + 12));
  });
}

TEST(PolicyStatistics, BackwardCommunicatesInNoMode) {
  Problem problem = RandomProblem(8).make(3, 16, 1);
  for (const Mode mode : {Mode::fast, Mode::gather, Mode::reproducible}) {
    problem.options.mode = mode;
    run_ranks(2, [&](Communicator& world) {
      EXPECT_EQ(solve(Grid(world, 2).groups(), problem).tp_backward, CommunicationCounters{});
    });
  }
}

TEST(PolicyStatistics, FusedSendsAsManyMessagesAsForwardInTheSameChunksAndOneMoreToDpRanks) {
  Problem problem = RandomProblem(7).make(7, 16, 1);
  problem.fused = true;
  for (const auto& [chunk, collectives] : {std::pair{0, 1}, {1, 7}, {3, 3}, {100, 1}}) {
    problem.options.chunk = chunk;
    run_ranks(4, [&, expected = collectives](Communicator& world) {
      const Grid grid(world, 4);
      const Outcome outcome = solve(grid.groups(), problem);
      EXPECT_EQ(outcome.tp_forward, (CommunicationCounters{expected, 24 * 7, 3 * 24 * 7}));
      EXPECT_EQ(outcome.dp_forward.collectives, 2);
    });
  }
}

void expect_same_bits(const Outcome& a, const Outcome& b) {
  const auto bits = [](const std::vector<float>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  EXPECT_TRUE(bits(a.logprob) == bits(b.logprob));
  EXPECT_TRUE(bits(a.entropy) == bits(b.entropy));
  EXPECT_TRUE(bits(a.lse) == bits(b.lse));
  EXPECT_TRUE(bits(a.loss) == bits(b.loss));
  EXPECT_TRUE(bits(a.gradient) == bits(b.gradient));
}

/// As even as possible, the rest on the last rank.
std::vector<std::int64_t> rows_over(int dp, std::int64_t rows) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(dp), rows / dp);
  all.back() += rows % dp;
  return all;
}

void expect_the_bits_of_tp_1(Communicator& world, Problem problem) {
  const auto alone = world.split(world.rank(), 0);
  const Grid single(*alone, 1);
  const Outcome expected = solve(single.groups(), problem);
  for (int tp = 1; tp <= world.size(); ++tp) {
    if (world.size() % tp != 0) continue;
    const Grid grid(world, tp);
    problem.dp_rows = rows_over(world.size() / tp, problem.rows());
    for (const Layout layout : {Layout::ceil, Layout::balanced, Layout::padded}) {
      for (const std::int64_t chunk : {0, 4}) {
        problem.layout = layout;
        problem.options.chunk = chunk;
        expect_same_bits(solve(grid.groups(), problem), expected);
      }
    }
  }
}

TEST(PolicyStatistics, GatherGivesTheSameBitsForEveryTpLayoutChunkAndDp) {
  for (const DType dtype : {DType::fp32, DType::bf16}) {
    Problem problem = RandomProblem(9).make(6, 301, 2);
    problem.dtype = problem.gradient_dtype = dtype;
    problem.options = {.temperature = 0.9F,
                       .label_smoothing = 0.1F,
                       .z_loss = 1e-3F,
                       .mode = Mode::gather,
                       .batch_invariant = true};
    for (const int size : {2, 3, 4, 8}) {
      run_ranks(size, [&](Communicator& world) { expect_the_bits_of_tp_1(world, problem); });
    }
  }
}

TEST(PolicyStatistics, FusedGivesTheBitsOfForwardThenBackward) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const Mode mode : {Mode::fast, Mode::gather, Mode::reproducible}) {
      for (const std::int64_t chunk : {0, 4}) {
        Problem problem = RandomProblem(10).make(9, 601, 2);
        problem.dtype = problem.gradient_dtype = dtype;
        problem.dp_rows = {9, 0};
        problem.options = {.label_smoothing = mode == Mode::reproducible ? 0.0F : 0.1F,
                           .z_loss = 1e-3F,
                           .reduction = Reduction::mean,
                           .chunk = chunk,
                           .mode = mode};
        Problem fused = problem;
        fused.fused = true;
        run_ranks(4, [&](Communicator& world) {
          const Grid grid(world, 2);
          const Outcome expected = solve(grid.groups(), problem);
          const Outcome actual = solve(grid.groups(), fused);
          expect_same_bits(actual, expected);
          EXPECT_EQ(actual.global.loss_sum, expected.global.loss_sum);
          EXPECT_EQ(actual.global.entropy_mean, expected.global.entropy_mean);
        });
      }
    }
  }
}

TEST(PolicyStatistics, FusedWithOneExponentialGivesTheStatisticsBitsOfForward) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const std::int64_t chunk : {0, 1, 4}) {
      Problem problem = RandomProblem(10).make(9, 601, 2);
      problem.dtype = dtype;
      problem.grad_entropy = {};
      problem.dp_rows = {9, 0};
      problem.options = {.temperature = 0.7F, .reduction = Reduction::mean, .chunk = chunk};
      Problem fused = problem;
      fused.fused = true;
      run_ranks(4, [&](Communicator& world) {
        const Grid grid(world, 2);
        Outcome expected = solve(grid.groups(), problem);
        const Outcome actual = solve(grid.groups(), fused);
        expect_outcome(actual, solve_by_reference(problem));
        expected.gradient = actual.gradient;
        expect_same_bits(actual, expected);
      });
    }
  }
}

}  // namespace
}  // namespace vparity::testing
