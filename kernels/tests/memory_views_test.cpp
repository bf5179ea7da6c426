// Publicly reported bugs of other kernels with the layout of the caller's memory: strides,
// broadcasts, offsets beyond 2^31, inputs that must not change. On every TP size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "tests/support/run_ranks.h"
#include "tests/support/sharded_problem.h"
#include "tests/support/sparse_mapping.h"

namespace vparity::testing {
namespace {

using std::numbers::ln2;
using ::testing::Each;
using ::testing::FloatNear;
using ::testing::Pointwise;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float tolerance =
    2e-6F;  // C u e of semantics 7 for rows of 2 to 8 columns is 1e-6 to 3e-6

/// One rank's kernels over a vocabulary that is split evenly.
struct Rank {
  Rank(Communicator& world, std::int64_t vocab)
      : grid(world, world.size()),
        own(VocabularySplit::of_layout(Layout::balanced, vocab, world.size()).shard(world.rank())),
        kernels(grid.groups(), own, vocab, {}) {}

  Grid grid;
  ShardColumns own;
  PolicyStatistics kernels;
};

void on_every_tp(std::int64_t vocab, const std::function<void(Rank&)>& body) {
  for (const int tp : {1, 2, 3, 4, 8}) {
    run_ranks(tp, [&](Communicator& world) {
      SCOPED_TRACE(::testing::Message() << "tp " << tp << ", rank " << world.rank());
      Rank rank(world, vocab);
      body(rank);
    });
  }
}

template <class T>
const std::byte* bytes_of(const T* data) {
  return reinterpret_cast<const std::byte*>(data);
}

// pytorch/pytorch#190139: row times stride in 32 bits. 12 GiB of addresses, a few pages of memory.
TEST(PublicBugReport10, RowsMayStartBeyondTwoToThe31) {
  constexpr std::int64_t stride = std::int64_t{1} << 30;
  const std::array<std::int64_t, 3> ids = {0, 7, 3};
  const std::vector<float> last_row = {0,
                                       0,
                                       static_cast<float>(ln2),
                                       static_cast<float>(2 * ln2),
                                       -infinity,
                                       -infinity,
                                       -infinity,
                                       -infinity};
  on_every_tp(8, [&](Rank& rank) {
    const SparseMapping mapping(3 * stride * sizeof(float));
    std::memcpy(mapping.data() + 2 * stride * sizeof(float), &last_row[rank.own.begin],
                rank.own.valid() * sizeof(float));
    const VocabShard logits({mapping.data(), DType::fp32, 3, stride}, rank.own);
    std::array<float, 3> entropy{}, loss{};
    rank.kernels.forward(logits, Replicated(ids.data(), 3),
                         {.entropy = {entropy.data(), 3}, .loss = {loss.data(), 3}});
    EXPECT_NEAR(loss[0], 3 * ln2, tolerance);
    EXPECT_NEAR(loss[1], 3 * ln2, tolerance);
    EXPECT_NEAR(loss[2], ln2, tolerance);
    EXPECT_NEAR(entropy[2], 1.2130075659799042, tolerance);
  });
}

// NVIDIA/TransformerEngine#2139: reads past an expanded scalar.
TEST(PublicBugReport11, UpstreamMayBeABroadcastScalar) {
  const std::array<std::int64_t, 4> ids = {0, 1, 0, 1};
  const std::vector<float> zeros(8);
  const std::vector<float> expected = {-1.5F, 1.5F, 1.5F, -1.5F, -1.5F, 1.5F, 1.5F, -1.5F};
  const float three = 3;
  on_every_tp(2, [&](Rank& rank) {
    const VocabShard logits({bytes_of(zeros.data()), DType::fp32, 4, 2}, rank.own);
    std::vector<float> gradient(8, nan);
    const MutableVocabShard shard(
        {reinterpret_cast<std::byte*>(gradient.data() + rank.own.begin), DType::fp32, 4, 2},
        rank.own);
    SavedStatistics saved;
    rank.kernels.forward(logits, Replicated(ids.data(), 4), {}, &saved);
    rank.kernels.backward(logits, Replicated(ids.data(), 4), saved, {.loss = {&three, 4, 1, 0, 0}},
                          shard);
    for (std::int64_t row = 0; row < 4; ++row) {
      for (std::int64_t v = rank.own.begin; v < rank.own.end; ++v) {
        const auto i = static_cast<std::size_t>(row * 2 + v);
        EXPECT_NEAR(gradient[i], expected[i], tolerance) << i;
      }
    }
  });
}

/// T = 4, V = 8: row t is 0 everywhere but ln 9 in column t, which is its label.
class StridedRows {
 public:
  StridedRows(const ShardColumns& own, std::int64_t stride, float gap)
      : own_(own), stride_(stride), logits_(static_cast<std::size_t>(4 * stride), gap) {
    for (std::int64_t row = 0; row < 4; ++row) {
      for (std::int64_t v = own.begin; v < own.end; ++v) {
        logits_[static_cast<std::size_t>(row * stride + v - own.begin)] =
            v == row ? std::log(9.0F) : 0.0F;
      }
    }
  }

  VocabShard shard() const { return {{bytes_of(logits_.data()), DType::fp32, 4, stride_}, own_}; }
  std::int64_t stride() const { return stride_; }

 private:
  ShardColumns own_;
  std::int64_t stride_;
  std::vector<float> logits_;
};

struct StridedOutcome {
  std::array<float, 4> entropy{}, loss{};
  std::vector<std::byte> gradient;  ///< with gaps of 0x5A
};

StridedOutcome solve_strided(Rank& rank, const StridedRows& rows, const TokenIds& ids) {
  StridedOutcome outcome;
  outcome.gradient.assign(static_cast<std::size_t>(4 * rows.stride()) * sizeof(float),
                          std::byte{0x5A});
  SavedStatistics saved;
  rank.kernels.forward(rows.shard(), ids,
                       {.entropy = {outcome.entropy.data(), 4}, .loss = {outcome.loss.data(), 4}},
                       &saved);
  const float one = 1;
  rank.kernels.backward(rows.shard(), ids, saved, {.loss = {&one, 4, 1, 0, 0}},
                        {{outcome.gradient.data(), DType::fp32, 4, rows.stride()}, rank.own});
  return outcome;
}

void expect_gradient(const StridedOutcome& outcome, const Rank& rank, std::int64_t stride) {
  const std::vector<float> gradient = decode(outcome.gradient, DType::fp32);
  for (std::int64_t row = 0; row < 4; ++row) {
    for (std::int64_t v = rank.own.begin; v < rank.own.end; ++v) {
      const auto i = static_cast<std::size_t>(row * stride + v - rank.own.begin);
      EXPECT_NEAR(gradient[i], v == row ? -0.4375 : 1.0 / 16, tolerance) << row << ", " << v;
    }
    const auto gap = outcome.gradient.begin() + (row * stride + rank.own.width) * 4;
    EXPECT_THAT(std::vector<std::byte>(gap, outcome.gradient.begin() + (row + 1) * stride * 4),
                Each(std::byte{0x5A}));
  }
}

// NVIDIA/TransformerEngine#2734: the row jump assumes a packed matrix; strided labels.
TEST(PublicBugReport13, RowsAndLabelsMayBeStrided) {
  constexpr std::int64_t junk = 1000000000;
  const std::array<std::int64_t, 8> strided_labels = {0, junk, 1, junk, 2, junk, 3, junk};
  const TokenIds ids = Replicated<const std::int64_t>(strided_labels.data(), 4, 1, 2, 1);
  on_every_tp(8, [&](Rank& rank) {
    const StridedRows packed(rank.own, rank.own.width, nan);
    const StridedOutcome expected = solve_strided(rank, packed, ids);
    for (const float gap : {nan, 1e30F}) {
      const StridedRows rows(rank.own, 12, gap);
      const StridedOutcome outcome = solve_strided(rank, rows, ids);
      EXPECT_THAT(outcome.loss, Each(FloatNear(0.5753641449035618F, tolerance)));
      EXPECT_THAT(outcome.entropy, Each(FloatNear(1.5366498974881577F, tolerance)));
      expect_gradient(outcome, rank, rows.stride());
      EXPECT_EQ(outcome.loss, expected.loss);  // bit for bit
      EXPECT_EQ(outcome.entropy, expected.entropy);
    }
  });
}

// The same report: a [S, B, V] tensor seen as [B, S, V]; each b is a view with row stride B V.
TEST(PublicBugReport13, TransposedBatchIsAStridedView) {
  constexpr std::int64_t batch = 2, sequence = 4, vocab = 8;
  std::vector<float> tensor(batch * sequence * vocab);
  std::vector<std::int32_t> labels(batch * sequence);
  for (std::int64_t s = 0; s < sequence; ++s) {
    for (std::int64_t b = 0; b < batch; ++b) {
      const std::int64_t label = s + 4 * b;
      labels[static_cast<std::size_t>(s * batch + b)] = static_cast<std::int32_t>(label);
      tensor[static_cast<std::size_t>((s * batch + b) * vocab + label)] = std::log(9.0F);
    }
  }
  on_every_tp(vocab, [&](Rank& rank) {
    for (std::int64_t b = 0; b < batch; ++b) {
      const VocabShard logits({bytes_of(tensor.data() + b * vocab + rank.own.begin), DType::fp32,
                               sequence, batch * vocab},
                              rank.own);
      const TokenIds ids = Replicated<const std::int32_t>(labels.data() + b, sequence, 1, batch, 1);
      std::array<float, sequence> loss{};
      rank.kernels.forward(logits, ids, {.loss = {loss.data(), sequence}});
      EXPECT_THAT(loss, Each(FloatNear(0.5753641449035618F, tolerance)));
    }
  });
}

/// logprob, entropy, cross-entropy with its gradient, on logits [0, 0, ln 2, ln 4] and label 3.
class ThreeStatistics {
 public:
  ThreeStatistics(Rank& rank, DType dtype) : rank_(rank), dtype_(dtype) {
    const std::array<float, 4> row = {0, 0, static_cast<float>(ln2), static_cast<float>(2 * ln2)};
    const auto width = static_cast<std::size_t>(rank.own.width);
    buffer_ =
        encode(std::span(row).subspan(static_cast<std::size_t>(rank.own.begin), width), dtype);
    before_ = buffer_;
  }

  void run(char statistic) {
    if (statistic == 'p') logprob();
    if (statistic == 'h') entropy();
    if (statistic == 'c') cross_entropy();
    EXPECT_EQ(buffer_, before_);
  }

 private:
  VocabShard logits() const { return {{buffer_.data(), dtype_, 1, rank_.own.width}, rank_.own}; }
  TokenIds ids() const { return Replicated(&label_, 1); }
  // bf16 rounds ln 2 by 2^-9 of itself.
  double precision() const { return dtype_ == DType::fp32 ? tolerance : 3e-3; }

  void logprob() {
    float value = nan;
    rank_.kernels.forward(logits(), ids(), {.logprob = {&value, 1}});
    EXPECT_NEAR(value, -ln2, precision());
  }

  void entropy() {
    float value = nan;
    rank_.kernels.forward(logits(), ids(), {.entropy = {&value, 1}});
    EXPECT_NEAR(value, 1.2130075659799042, precision());
  }

  void cross_entropy() {
    const std::array<double, 4> expected = {0.125, 0.125, 0.25, -0.5};
    const float one = 1;
    float loss = nan;
    SavedStatistics saved;
    rank_.kernels.forward(logits(), ids(), {.loss = {&loss, 1}}, &saved);
    EXPECT_NEAR(loss, ln2, precision());
    std::vector<float> gradient(static_cast<std::size_t>(rank_.own.width), nan);
    rank_.kernels.backward(
        logits(), ids(), saved, {.loss = {&one, 1}},
        {{reinterpret_cast<std::byte*>(gradient.data()), DType::fp32, 1, rank_.own.width},
         rank_.own});
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      EXPECT_NEAR(gradient[i], expected[static_cast<std::size_t>(rank_.own.begin) + i],
                  precision());
    }
  }

  Rank& rank_;
  DType dtype_;
  std::int64_t label_ = 3;
  std::vector<std::byte> buffer_, before_;
};

// verl-project/verl#1672: the first statistic leaves its intermediate values in the logits.
TEST(PublicBugReport14, EveryOrderOfStatisticsOnOneBufferGivesTheSame) {
  on_every_tp(4, [](Rank& rank) {
    for (const DType dtype : {DType::fp32, DType::bf16}) {
      ThreeStatistics statistics(rank, dtype);
      std::string order = "chp";
      do {
        SCOPED_TRACE(order);
        for (const char statistic : order + order) statistics.run(statistic);
      } while (std::ranges::next_permutation(order).found);
    }
  });
}

}  // namespace
}  // namespace vparity::testing
