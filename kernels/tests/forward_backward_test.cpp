// Promises of the fused call besides its values, which policy_statistics_test.cpp tests: memory in
// place, unaligned or far larger than a chunk, and nothing written after an error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/support/run_ranks.h"
#include "tests/support/sharded_problem.h"
#include "vparity/errors.h"

namespace vparity::testing {
namespace {

/// One rank's shard of some random rows, its upstream gradient and its kernels.
class Shard {
 public:
  Shard(Communicator& world, std::int64_t rows, std::int64_t vocab, DType dtype,
        const Options& options)
      : grid_(world, world.size()),
        own_(VocabularySplit::of_layout(Layout::ceil, vocab, world.size()).shard(world.rank())),
        kernels_(grid_.groups(), own_, vocab, options),
        rows_(rows),
        dtype_(dtype),
        labels_(static_cast<std::size_t>(rows)),
        upstream_(static_cast<std::size_t>(rows)) {
    std::mt19937 random(7);
    for (std::int64_t& label : labels_) label = static_cast<std::int64_t>(random()) % vocab;
    for (float& gradient : upstream_) gradient = static_cast<float>(random() % 7) - 3;
    upstream_.front() = std::numeric_limits<float>::infinity();
    random.seed(static_cast<unsigned>(world.rank()));
    std::vector<float> values(static_cast<std::size_t>(rows * own_.width));
    for (float& value : values) value = static_cast<float>(random() % 1000) / 100;
    logits_ = encode(values, dtype);
  }

  std::int64_t& label(std::size_t row) { return labels_[row]; }
  std::vector<std::byte>& logits() { return logits_; }

  std::vector<std::byte> gradient_by_two_calls() {
    std::vector<std::byte> gradient(logits_.size());
    SavedStatistics saved;
    kernels_.forward(view(), ids(), {}, &saved);
    kernels_.backward(view(), ids(), saved, upstream(), view_of(gradient));
    return gradient;
  }

  /// `gradient` may be logits(); the result begins at byte `offset`.
  CommunicationCounters fused(std::vector<std::byte>& gradient, const StatisticsViews& out = {},
                              std::size_t offset = 0) {
    const CommunicationCounters before = grid_.groups().tp.counters();
    kernels_.forward_backward(view(), ids(), upstream(), out, view_of(gradient, offset));
    const CommunicationCounters after = grid_.groups().tp.counters();
    return {after.collectives - before.collectives, after.bytes_sent - before.bytes_sent,
            after.bytes_received - before.bytes_received};
  }

 private:
  VocabShard view() const { return {{logits_.data(), dtype_, rows_, own_.width}, own_}; }
  MutableVocabShard view_of(std::vector<std::byte>& gradient, std::size_t offset = 0) const {
    return {{gradient.data() + offset, dtype_, rows_, own_.width}, own_};
  }
  TokenIds ids() const { return Replicated<const std::int64_t>(labels_.data(), rows_); }
  UpstreamGradients upstream() const { return {.loss = {upstream_.data(), rows_}}; }

  Grid grid_;
  ShardColumns own_;
  PolicyStatistics kernels_;
  std::int64_t rows_;
  DType dtype_;
  std::vector<std::int64_t> labels_;
  std::vector<float> upstream_;
  std::vector<std::byte> logits_;
};

// 40 rows of 100000 columns over 2 ranks are 8 MB a rank in fp32: streamed, and in two chunks.
constexpr std::int64_t many_rows = 40;
constexpr std::int64_t wide = 100000;

/// One rounding to the type, and a few in fp32: e^z computed in two ways, and its factor.
float most_between(float a, float b, DType dtype) {
  const float relative = dtype == DType::fp32 ? 0 : dtype == DType::bf16 ? 0x1p-7F : 0x1p-10F;
  return (relative + 0x1p-20F) * std::max(std::abs(a), std::abs(b)) + 0x1p-24F;
}

bool all_near(const std::vector<std::byte>& a, const std::vector<std::byte>& b, DType dtype) {
  const std::vector<float> x = decode(a, dtype), y = decode(b, dtype);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool same = x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]));
    if (!same && !(std::abs(x[i] - y[i]) <= most_between(x[i], y[i], dtype))) return false;
  }
  return x.size() == y.size();
}

TEST(ForwardBackward, AStreamedGradientIsThatOfTheTwoCallsUpToItsLastBits) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    run_ranks(2, [&](Communicator& world) {
      Shard shard(world, many_rows, wide, dtype, {});
      std::vector<std::byte> gradient(shard.logits().size());
      shard.fused(gradient);
      EXPECT_TRUE(all_near(gradient, shard.gradient_by_two_calls(), dtype));
    });
  }
}

TEST(ForwardBackward, TheGradientHasTheSameBitsWhereverItIsWritten) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const std::int64_t chunk : {0, 7}) {
      run_ranks(2, [&](Communicator& world) {
        Shard shard(world, many_rows, wide, dtype, {.chunk = chunk});
        const std::size_t bytes = shard.logits().size();
        std::vector<std::byte> first(bytes + 64);
        shard.fused(first);
        first.resize(bytes);
        for (const std::size_t offset : {std::size_t{1}, size_of(dtype), std::size_t{28}}) {
          std::vector<std::byte> gradient(bytes + 64);
          shard.fused(gradient, {}, offset);
          gradient.erase(gradient.begin(), gradient.begin() + static_cast<std::ptrdiff_t>(offset));
          gradient.resize(bytes);
          EXPECT_TRUE(gradient == first) << offset;
        }
        shard.fused(shard.logits());
        EXPECT_TRUE(shard.logits() == first);
      });
    }
  }
}

TEST(ForwardBackward, TheGradientMayTakeTheLogitsPlace) {
  for (const Mode mode : {Mode::gather, Mode::reproducible}) {
    run_ranks(2, [&](Communicator& world) {
      Shard shard(world, many_rows, wide, DType::fp32, {.mode = mode});
      const std::vector<std::byte> expected = shard.gradient_by_two_calls();
      shard.fused(shard.logits());
      EXPECT_TRUE(shard.logits() == expected);
    });
  }
}

TEST(ForwardBackward, AChunkHasTheCallersRowsOrThoseThatFitIntoTheCacheOfTheWidestShard) {
  const auto rows_in = [](std::int64_t bytes) { return bytes / (wide / 2 * 4); };
  const Options pipelined, twice_exponentiated{.label_smoothing = 0.1F};
  for (const auto& [options, rows] : {std::pair{pipelined, rows_in(std::int64_t{1} << 20)},
                                      {twice_exponentiated, rows_in(std::int64_t{4} << 20)},
                                      {Options{.chunk = 7}, 7},
                                      {Options{.chunk = many_rows + 1}, many_rows}}) {
    run_ranks(2, [&, options = options, rows = rows](Communicator& world) {
      Shard shard(world, many_rows, wide, DType::fp32, options);
      const std::int64_t collectives = (many_rows + rows - 1) / rows;
      const std::int64_t bytes = many_rows * (options.label_smoothing > 0 ? 36 : 24);
      EXPECT_EQ(shard.fused(shard.logits()), (CommunicationCounters{collectives, bytes, bytes}));
    });
  }
}

TEST(ForwardBackward, ABadLabelIsRaisedBeforeAnythingIsWritten) {
  run_ranks(2, [&](Communicator& world) {
    Shard shard(world, 3, 8, DType::fp32, {});
    shard.label(2) = 8;
    const std::vector<std::byte> logits = shard.logits();
    std::vector<float> loss(3, -1);
    EXPECT_THROW(shard.fused(shard.logits(), {.loss = {loss.data(), 3}}), LabelError);
    EXPECT_TRUE(shard.logits() == logits);
    EXPECT_EQ(loss, std::vector<float>(3, -1));
  });
}

}  // namespace
}  // namespace vparity::testing
