// Errors that only one rank would see reach every rank of the job, with one text, and leave no rank
// waiting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "tests/support/run_ranks.h"
#include "tests/support/sharded_problem.h"
#include "tests/support/test_device.h"
#include "vparity/device_policy_statistics.h"
#include "vparity/errors.h"
#include "vparity/host_staged_communicator.h"
#include "vparity/staged_memory.h"

namespace vparity::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr int tp = 4;
constexpr std::int64_t vocab = 10;

/// The text of the error that `body` has to throw.
template <class Exception, class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Exception& error) {
    return error.what();
  }
  return "no error";
}

/// Collective: the texts of all ranks.
std::vector<std::string> texts_of_all(Communicator& world, const std::string& own) {
  std::array<char, 512> text{};
  own.copy(text.data(), text.size() - 1);
  std::vector<std::string> texts;
  for (const auto& other : all_gather_values(world, text)) texts.emplace_back(other.data());
  return texts;
}

/// A rank's arguments of the constructor; a test makes them invalid on one rank.
struct Stated {
  ShardColumns own;
  std::int64_t vocab;
  Options options;
};

/// Each rank of a TP 4 x DP 2 job in turn is the only one with a wrong argument.
template <class Spoil>
void expect_refused_by_all(const std::string& text, const Spoil& spoil) {
  run_ranks(2 * tp, [&](Communicator& world) {
    const Grid grid(world, tp);
    const VocabularySplit split = VocabularySplit::of_layout(Layout::ceil, vocab, tp);
    for (int spoiler = 0; spoiler < world.size(); ++spoiler) {
      Stated stated{split.shard(grid.groups().tp.rank()), vocab, {}};
      if (world.rank() == spoiler) spoil(stated);
      const std::string own = message_of<ArgumentError>(
          [&] { PolicyStatistics(grid.groups(), stated.own, stated.vocab, stated.options); });
      const std::vector<std::string> all = texts_of_all(world, own);
      EXPECT_THAT(all, Each(HasSubstr(text))) << "spoiled on rank " << spoiler;
      EXPECT_THAT(all, Each(own));
    }
  });
}

TEST(JobErrors, AnInvalidOptionOnOneRankIsRefusedByAll) {
  expect_refused_by_all("temperature must be > 0",
                        [](Stated& stated) { stated.options.temperature = 0; });
  expect_refused_by_all("softcap must be > 0",
                        [](Stated& stated) { stated.options.softcap = -1.0F; });
  expect_refused_by_all("batch_invariant",
                        [](Stated& stated) { stated.options.batch_invariant = true; });
  expect_refused_by_all("label_smoothing is not offered in mode reproducible", [](Stated& stated) {
    stated.options.mode = Mode::reproducible;
    stated.options.label_smoothing = 0.1F;
  });
}

TEST(JobErrors, OptionsThatDifferAreNamed) {
  expect_refused_by_all("softcap differs between ranks",
                        [](Stated& stated) { stated.options.softcap = 30.0F; });
  expect_refused_by_all("chunk differs between ranks",
                        [](Stated& stated) { stated.options.chunk = 3; });
  expect_refused_by_all("ignore_index differs between ranks",
                        [](Stated& stated) { stated.options.ignore_index = 0; });
  expect_refused_by_all("mode differs between ranks",
                        [](Stated& stated) { stated.options.mode = Mode::gather; });
}

TEST(JobErrors, AVocabularyThatDiffersIsNamed) {
  expect_refused_by_all("vocab differs between ranks",
                        [](Stated& stated) { stated.vocab = vocab + 1; });
}

TEST(JobErrors, WidthsThatDoNotAddUpToTheVocabularyAreRefused) {
  expect_refused_by_all("shard of tp rank", [](Stated& stated) {
    stated.own = {stated.own.begin, stated.own.end, 0};
  });
  expect_refused_by_all("shard of tp rank",  // full logits where a shard is expected
                        [](Stated& stated) {
                          stated.own = {0, vocab, vocab};
                        });
}

/// One rank's part of a job, and the statistics that it gets.
struct RankJob {
  ProcessGroups groups;
  VocabShard logits;
  Replicated<const std::int64_t> ids;
  StatisticsViews out;
  Options options;
};

void forward_on_host(const RankJob& job) {
  PolicyStatistics kernels(job.groups, job.logits.columns(), vocab, job.options);
  kernels.forward(job.logits, job.ids, job.out);
}

/// On a simulated device; what it wrote is there also if it throws.
void forward_on_device(const RankJob& job) {
  const auto device = make_test_device();
  const auto group = make_host_staged_communicator(job.groups.tp, *device);
  const ShardColumns& own = job.logits.columns();
  DevicePolicyStatistics kernels(job.groups, *group, *device, own, vocab, job.options);
  StagedMemory logits(*device), ids(*device);
  const VocabShard logits_there{logits.copy_in(job.logits.rows(), own.width), own};
  const TokenIds ids_there = ids.copy_in(TokenIds(job.ids));
  StagedStatistics out(*device);
  const StatisticsViews there = out.copy_in(job.out);
  const auto bring_back = [&] {
    out.copy_out(job.out);
    device->wait();
  };
  try {
    kernels.forward(logits_there, ids_there, there);
  } catch (const LabelError&) {
    bring_back();
    throw;
  }
  bring_back();
}

/// One DP group has a bad label; the job has 3 + 2 rows of 2 ids. On a device its row is
/// NaN, and no other is.
void expect_label_error(void (*forward)(const RankJob&), std::int64_t label, int bad_dp_rank,
                        std::int64_t bad_row, std::int64_t global_row,
                        const Options& options = {}) {
  run_ranks(2 * tp, [&](Communicator& world) {
    const Grid grid(world, tp);
    const ProcessGroups groups = grid.groups();
    const ShardColumns own =
        VocabularySplit::of_layout(Layout::ceil, vocab, tp).shard(groups.tp.rank());
    const std::int64_t rows = groups.dp.rank() == 0 ? 3 : 2;
    const std::vector<float> logits(static_cast<std::size_t>(rows * own.width));
    std::vector<std::int64_t> ids(static_cast<std::size_t>(2 * rows), 1);
    const bool has_it = groups.dp.rank() == bad_dp_rank;
    if (has_it) ids[static_cast<std::size_t>(2 * bad_row + 1)] = label;

    const VocabShard shard(
        {reinterpret_cast<const std::byte*>(logits.data()), DType::fp32, rows, own.width}, own);
    std::vector<float> logprob(static_cast<std::size_t>(2 * rows)),
        loss(static_cast<std::size_t>(rows));
    const StatisticsViews out{.logprob = {logprob.data(), rows, 2}, .loss = {loss.data(), rows}};
    try {
      forward({groups, shard, {ids.data(), rows, 2}, out, options});
      ADD_FAILURE() << "label " << label << " was taken";
    } catch (const LabelError& error) {
      EXPECT_EQ(error.global_row, global_row);
      EXPECT_EQ(error.id_column, 1);
      EXPECT_EQ(error.label, label);
      EXPECT_EQ(error.vocab, vocab);
      EXPECT_THAT(error.what(), HasSubstr(std::to_string(label)));
    }
    for (std::int64_t row = 0; forward == forward_on_device && row < rows; ++row) {
      const auto at = static_cast<std::size_t>(row);
      const bool bad = has_it && row == bad_row;
      EXPECT_EQ(std::isnan(loss[at]), bad) << row;
      EXPECT_EQ(std::isnan(logprob[2 * at]), bad) << row;
      EXPECT_EQ(std::isnan(logprob[2 * at + 1]), bad) << row;
    }
    EXPECT_EQ(all_gather_values(world, 1).size(), 8U);  // no rank is left in a collective
  });
}

TEST(JobErrors, ABadLabelOfOneReplicaIsRaisedByAllWithItsGlobalRow) {
  for (auto* const forward : {forward_on_host, forward_on_device}) {
    expect_label_error(forward, vocab, 0, 2, 2);
    expect_label_error(forward, -1, 1, 1, 4);
    expect_label_error(forward, (std::int64_t{1} << 32) + 3, 1, 0, 3);
    expect_label_error(forward, std::numeric_limits<std::int64_t>::min(), 1, 0, 3);
    expect_label_error(forward, vocab, 1, 1, 4, {.chunk = 1, .mode = Mode::gather});
  }
}

TEST(JobErrors, ViewsThatDoNotFitAreRefusedBeforeAnyCollective) {
  run_ranks(1, [](Communicator& world) {
    const Grid grid(world, 1);
    PolicyStatistics kernels(grid.groups(), {0, 4, 4}, 4, {});
    const std::vector<float> values(8);
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    const std::vector<std::int64_t> labels(2);
    const VocabShard logits({bytes, DType::fp32, 2, 4}, {0, 4, 4});
    const TokenIds ids = Replicated<const std::int64_t>(labels.data(), 2);
    const auto text = [&](const VocabShard& shard, const TokenIds& of_rows,
                          const StatisticsViews& out) {
      return message_of<ArgumentError>([&] { kernels.forward(shard, of_rows, out); });
    };
    std::vector<float> out(2);
    EXPECT_THAT(text({{bytes, DType::fp32, 2, 4}, {0, 3, 4}}, ids, {}), HasSubstr("[0, 3)"));
    EXPECT_THAT(text({{nullptr, DType::fp32, 2, 4}, {0, 4, 4}}, ids, {}), HasSubstr("no data"));
    EXPECT_THAT(text(logits, Replicated<const std::int64_t>(labels.data(), 1), {}),
                HasSubstr("ids are [1, 1]"));
    EXPECT_THAT(text(logits, ids, {.logprob = {out.data(), 1, 2}}), HasSubstr("logprob is [1, 2]"));
    EXPECT_THAT(text(logits, ids, {.loss = {out.data(), 1}}), HasSubstr("loss is [1, 1]"));
  });
}

TEST(JobErrors, AGradientThatDoesNotFitIsRefused) {
  run_ranks(1, [](Communicator& world) {
    const Grid grid(world, 1);
    const ShardColumns own{0, 4, 4};
    PolicyStatistics kernels(grid.groups(), own, 4, {});
    std::vector<std::byte> memory(64);
    const std::vector<std::int64_t> labels(2);
    const VocabShard logits({memory.data(), DType::bf16, 2, 4}, own);
    const TokenIds ids = Replicated<const std::int64_t>(labels.data(), 2);
    SavedStatistics saved;
    kernels.forward(logits, ids, {}, &saved);
    const auto text = [&](const MutableRows& gradient, const SavedStatistics& of_forward) {
      return message_of<ArgumentError>([&] {
        kernels.backward(logits, ids, of_forward, {}, {gradient, own});
      });
    };
    EXPECT_THAT(text({memory.data() + 32, DType::fp16, 2, 4}, saved),
                HasSubstr("gradient is fp16"));
    EXPECT_THAT(text({memory.data(), DType::fp32, 2, 4}, saved), HasSubstr("in place"));
    EXPECT_THAT(text({memory.data(), DType::bf16, 2, 8}, saved), HasSubstr("in place"));
    EXPECT_THAT(text({memory.data(), DType::bf16, 1, 4}, saved), HasSubstr("1 rows"));
    EXPECT_THAT(text({memory.data(), DType::bf16, 2, 4}, {}), HasSubstr("saved row_max has 0"));
    EXPECT_EQ(text({memory.data(), DType::bf16, 2, 4}, saved), "no error");
  });
}

}  // namespace
}  // namespace vparity::testing
