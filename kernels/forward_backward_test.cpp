// What the fused call promises beyond its values, which are tested with those of the two calls:
// memory in place or far larger than a chunk, and nothing written after an error.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "test_support/run_ranks.h"
#include "test_support/sharded_problem.h"
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

  /// `gradient` may be logits().
  CommunicationCounters fused(std::vector<std::byte>& gradient, const StatisticsViews& out = {}) {
    const CommunicationCounters before = grid_.groups().tp.counters();
    kernels_.forward_backward(view(), ids(), upstream(), out, view_of(gradient));
    const CommunicationCounters after = grid_.groups().tp.counters();
    return {after.collectives - before.collectives, after.bytes_sent - before.bytes_sent,
            after.bytes_received - before.bytes_received};
  }

 private:
  VocabShard view() const { return {{logits_.data(), dtype_, rows_, own_.width}, own_}; }
  MutableVocabShard view_of(std::vector<std::byte>& gradient) const {
    return {{gradient.data(), dtype_, rows_, own_.width}, own_};
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

TEST(ForwardBackward, AGradientThatPassesTheCachesHasTheBitsOfTheTwoCalls) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    run_ranks(2, [&](Communicator& world) {
      Shard shard(world, many_rows, wide, dtype, {});
      std::vector<std::byte> gradient(shard.logits().size());
      shard.fused(gradient);
      EXPECT_TRUE(gradient == shard.gradient_by_two_calls());
    });
  }
}

TEST(ForwardBackward, TheGradientMayTakeTheLogitsPlace) {
  for (const Mode mode : {Mode::fast, Mode::gather, Mode::reproducible}) {
    run_ranks(2, [&](Communicator& world) {
      Shard shard(world, many_rows, wide, DType::fp32, {.mode = mode});
      const std::vector<std::byte> expected = shard.gradient_by_two_calls();
      shard.fused(shard.logits());
      EXPECT_TRUE(shard.logits() == expected);
    });
  }
}

TEST(ForwardBackward, AChunkIsTheCallersOrWhatTheWidestShardPutsInto4MiB) {
  constexpr std::int64_t rows_in_4_mib = (std::int64_t{4} << 20) / (wide / 2 * 4);
  for (const auto& [chunk, rows] :
       {std::pair{std::int64_t{0}, rows_in_4_mib}, {7, 7}, {many_rows + 1, many_rows}}) {
    run_ranks(2, [&, chunk = chunk, rows = rows](Communicator& world) {
      Shard shard(world, many_rows, wide, DType::fp32, {.chunk = chunk});
      const std::int64_t collectives = (many_rows + rows - 1) / rows;
      EXPECT_EQ(shard.fused(shard.logits()),
                (CommunicationCounters{collectives, 24 * many_rows, 24 * many_rows}));
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
