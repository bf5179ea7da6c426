#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "harness/provider/registry/registry.h"
#include "vparity/errors.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

/// Two rows over two shards of two columns, the last of which is padding. The first has p = 1/7,
/// 2/7 | 4/7, the second is ignored and all of it masked.
constexpr float masked = -std::numeric_limits<float>::infinity();
constexpr std::array<ShardColumns, 2> shards{ShardColumns{0, 2, 2}, ShardColumns{2, 3, 2}};
const std::array<std::array<float, 4>, 2> logits{
    std::array{0.0F, std::log(2.0F), masked, masked},
    std::array{std::log(4.0F), std::nanf(""), masked, std::nanf("")}};
constexpr std::array<std::int64_t, 2> labels{2, -100};

Problem problem() {
  Problem one;
  one.vocab = 3;
  return one;
}

/// What one rank of two gets.
struct Outcome {
  std::array<float, 2> logprob{9, 9}, entropy{9, 9}, lse{9, 9}, loss{9, 9};
  GlobalResults global;
  std::array<float, 4> gradient{9, 9, 9, 9}, again{9, 9, 9, 9};
  CommunicationCounters counters;
};

TokenIds ids() { return Replicated<const std::int64_t>(labels.data(), 2); }

Outcome run_rank(std::string_view provider, Communicator& tp) {
  const auto rank = static_cast<std::size_t>(tp.rank());
  const auto dp = tp.split(tp.rank(), 0);
  const auto session = provider_named(provider).prepare(problem(), {tp, *dp}, shards[rank]);
  const Rows rows{reinterpret_cast<const std::byte*>(logits[rank].data()), DType::fp32, 2, 2};
  const VocabShard shard(rows, shards[rank]);
  Outcome run;
  const CommunicationCounters before = tp.counters();
  run.global = session->forward(shard, ids(),
                                {{run.logprob.data(), 2},
                                 {run.entropy.data(), 2},
                                 {run.lse.data(), 2},
                                 {run.loss.data(), 2}});
  constexpr std::array<float, 2> ones{1, 1};
  UpstreamGradients upstream;
  upstream.loss = {ones.data(), 2};
  for (auto* gradient : {&run.gradient, &run.again}) {
    const MutableRows to{reinterpret_cast<std::byte*>(gradient->data()), DType::fp32, 2, 2};
    session->backward(shard, ids(), upstream, {to, shards[rank]});
  }
  run.counters = {tp.counters().collectives - before.collectives,
                  tp.counters().bytes_sent - before.bytes_sent, 0};
  return run;
}

std::array<Outcome, 2> run_both(std::string_view provider) {
  std::array<Outcome, 2> runs;
  run_thread_ranks(2, [&](Communicator& tp) {
    runs[static_cast<std::size_t>(tp.rank())] = run_rank(provider, tp);
  });
  return runs;
}

class Baselines : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Baselines, testing::Values("three-allreduce", "gather-full-grad"),
                         [](const auto& test) {
                           return std::string(test.param).starts_with("three") ? "ThreeAllreduce"
                                                                               : "GatherFullGrad";
                         });

TEST_P(Baselines, GiveTheNumbersOfRowsWorkedOutByHand) {
  for (const Outcome& run : run_both(GetParam())) {
    EXPECT_FLOAT_EQ(run.logprob[0], std::log(4.0 / 7));
    EXPECT_FLOAT_EQ(run.entropy[0], std::log(7.0) - 10.0 / 7 * std::log(2.0));
    EXPECT_FLOAT_EQ(run.lse[0], std::log(7.0));
    EXPECT_FLOAT_EQ(run.loss[0], std::log(7.0 / 4));
    EXPECT_EQ(run.logprob[1], 0);
    EXPECT_TRUE(std::isnan(run.entropy[1]));
    EXPECT_EQ(run.lse[1], masked);
    EXPECT_EQ(run.loss[1], 0);
    EXPECT_EQ(run.global.valid_tokens, 1);
    EXPECT_EQ(run.global.degenerate_rows, 0);
    EXPECT_FLOAT_EQ(static_cast<float>(run.global.loss_mean), std::log(7.0 / 4));
  }
}

TEST_P(Baselines, GiveTheGradientOfRowsWorkedOutByHandEachTimeTheyAreAsked) {
  const auto runs = run_both(GetParam());
  const std::array<std::array<float, 4>, 2> expected{std::array{1.0F / 7, 2.0F / 7, 0.0F, 0.0F},
                                                     std::array{-3.0F / 7, 0.0F, 0.0F, 0.0F}};
  for (std::size_t rank = 0; rank < 2; ++rank) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_FLOAT_EQ(runs[rank].gradient[i], expected[rank][i]) << rank << " " << i;
    EXPECT_EQ(runs[rank].gradient, runs[rank].again);
  }
}

TEST(ThreeAllreduce, HasThreeCollectivesOfSixteenBytesPerTokenInAll) {
  for (const Outcome& run : run_both("three-allreduce")) {
    EXPECT_EQ(run.counters.collectives, 3);
    EXPECT_EQ(run.counters.bytes_sent, 2 * 16);
  }
}

TEST(GatherFullGrad, SendsItsLogitsWithoutPaddingOnce) {
  const auto runs = run_both("gather-full-grad");
  EXPECT_EQ(runs[0].counters, (CommunicationCounters{1, 2 * 2 * 4, 0}));
  EXPECT_EQ(runs[1].counters, (CommunicationCounters{1, 2 * 1 * 4, 0}));
}

TEST_P(Baselines, RefuseABadLabelOnEveryRank) {
  std::array<std::int64_t, 2> refused{-1, -1};
  run_thread_ranks(2, [&](Communicator& dp) {
    const auto tp = dp.split(dp.rank(), 0);
    const ShardColumns columns{0, 3, 3};
    const std::int64_t label = dp.rank() == 1 ? 3 : 0;
    const Rows rows{reinterpret_cast<const std::byte*>(logits[0].data()), DType::fp32, 1, 3};
    const auto session = provider_named(GetParam()).prepare(problem(), {*tp, dp}, columns);
    try {
      session->forward({rows, columns}, Replicated<const std::int64_t>(&label, 1), {});
    } catch (const LabelError& error) {
      refused[static_cast<std::size_t>(dp.rank())] = error.global_row;
    }
  });
  EXPECT_THAT(refused, testing::ElementsAre(1, 1));
}

TEST_P(Baselines, DeclineWhatTheyDoNotDo) {
  const Provider& provider = provider_named(GetParam());
  EXPECT_EQ(provider.unsupported(problem()), std::nullopt);
  std::array<Problem, 7> declined;
  declined[0].options.softcap = 30.0F;
  declined[1].options.label_smoothing = 0.1F;
  declined[2].options.z_loss = 1e-4F;
  declined[3].options.mode = Mode::gather;
  declined[4].options.chunk = 1;
  declined[5].id_columns = 2;
  declined[6].in_place = true;
  for (const Problem& one : declined) EXPECT_NE(provider.unsupported(one), std::nullopt);
}

}  // namespace
}  // namespace vparity::harness
