#include "harness/provider/plain/plain_kernels.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "harness/provider/plain/plain_provider.h"
#include "vparity/errors.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

/// One row over two shards of two columns, the last of which is padding: p = 1/7, 2/7 | 4/7.
const std::array<float, 4> logits{0, std::log(2.0F), std::log(4.0F), NAN};

constexpr std::array<ShardColumns, 2> shards{ShardColumns{0, 2, 2}, ShardColumns{2, 3, 2}};

Problem problem() {
  Problem one;
  one.vocab = 3;
  return one;
}

VocabShard shard_of(const ShardColumns& columns) {
  const Rows rows{reinterpret_cast<const std::byte*>(logits.data() + columns.begin), DType::fp32, 1,
                  columns.width};
  return {rows, columns};
}

TEST(PlainKernels, GiveTheNumbersOfARowWorkedOutByHand) {
  run_thread_ranks(2, [](Communicator& tp) {
    const auto dp = tp.split(tp.rank(), 0);
    const ShardColumns& columns = shards[static_cast<std::size_t>(tp.rank())];
    const std::int64_t label = 2;
    const TokenIds ids = Replicated<const std::int64_t>(&label, 1);
    const auto session = PlainProvider<>("plain").prepare(problem(), {tp, *dp}, columns);

    float logprob = 0, entropy = 0, lse = 0, loss = 0;
    const GlobalResults global = session->forward(
        shard_of(columns), ids, {{&logprob, 1}, {&entropy, 1}, {&lse, 1}, {&loss, 1}});
    EXPECT_FLOAT_EQ(logprob, std::log(4.0 / 7));
    EXPECT_FLOAT_EQ(entropy, std::log(7.0) - 10.0 / 7 * std::log(2.0));
    EXPECT_FLOAT_EQ(lse, std::log(7.0));
    EXPECT_FLOAT_EQ(loss, std::log(7.0 / 4));
    EXPECT_FLOAT_EQ(static_cast<float>(global.loss_mean), std::log(7.0 / 4));

    const float one = 1;
    UpstreamGradients upstream;
    upstream.loss = {&one, 1};
    std::array<float, 2> gradient{9, 9};
    const MutableRows rows{reinterpret_cast<std::byte*>(gradient.data()), DType::fp32, 1, 2};
    session->backward(shard_of(columns), ids, upstream, {rows, columns});
    const std::array<float, 4> expected{1.0F / 7, 2.0F / 7, -3.0F / 7, 0};
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_FLOAT_EQ(gradient[i], expected[static_cast<std::size_t>(columns.begin) + i]);
  });
}

TEST(PlainKernels, RefuseABadLabelOnEveryRank) {
  std::array<std::int64_t, 2> refused{-1, -1};
  run_thread_ranks(2, [&](Communicator& dp) {
    const auto tp = dp.split(dp.rank(), 0);
    const ShardColumns columns{0, 3, 3};
    const std::int64_t label = dp.rank() == 1 ? 3 : 0;
    const TokenIds ids = Replicated<const std::int64_t>(&label, 1);
    const auto session = PlainProvider<>("plain").prepare(problem(), {*tp, dp}, columns);
    try {
      session->forward(shard_of(columns), ids, {});
    } catch (const LabelError& error) {
      refused[static_cast<std::size_t>(dp.rank())] = error.global_row;
    }
  });
  EXPECT_THAT(refused, testing::ElementsAre(1, 1));
}

}  // namespace
}  // namespace vparity::harness
