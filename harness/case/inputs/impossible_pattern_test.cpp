#include <gmock/gmock.h>

#include <functional>

#include "harness/case/inputs/every_pattern.h"
#include "harness/case/inputs/inputs.h"

namespace vparity::harness {
namespace {

using ::testing::HasSubstr;

struct Impossible {
  std::string name;
  std::function<void(CaseParameters&)> change;
  std::string reason;
};

class ImpossiblePattern : public ::testing::TestWithParam<Impossible> {};

TEST_P(ImpossiblePattern, IsNamedWithWhatItNeeds) {
  CaseParameters parameters = pattern_base();
  ASSERT_EQ(impossible_pattern(parameters), "");
  GetParam().change(parameters);
  EXPECT_THAT(impossible_pattern(parameters), HasSubstr(GetParam().reason));
}

const std::vector<Impossible> impossible{
    {"OneShardOnOneRank", [](auto& p) { p.mask = MaskPattern::one_shard, p.tp = 1; },
     "mask=one_shard needs two shards with columns (tp=1, vocab=203)"},
    {"OneShardWithOneColumn", [](auto& p) { p.mask = MaskPattern::one_shard, p.vocab = 1; },
     "needs two shards with columns (tp=3, vocab=1)"},
    {"OneShardInOnePaddedShard",
     [](auto& p) { p.mask = MaskPattern::one_shard, p.vocab = 128, p.layout = Layout::padded; },
     "needs two shards with columns"},
    {"FirstBlockOfSingleColumns", [](auto& p) { p.mask = MaskPattern::first_block, p.vocab = 3; },
     "mask=first_block needs a shard of two columns"},
    {"TargetOfOneColumn", [](auto& p) { p.mask = MaskPattern::target, p.vocab = 1; },
     "mask=target needs a vocabulary of at least 2, it is 1"},
    {"TargetOfIgnoredRows",
     [](auto& p) { p.mask = MaskPattern::target, p.labels = LabelPattern::all_ignored; },
     "mask=target needs labels that are not ignored"},
    {"PaddingInCeilLayout", [](auto& p) { p.mask = MaskPattern::padding; },
     "mask=padding needs padding columns"},
    {"PaddingThatIsFull",
     [](auto& p) { p.mask = MaskPattern::padding, p.layout = Layout::padded, p.vocab = 384; },
     "mask=padding needs padding columns"},
    {"TopKOfSixtyFour", [](auto& p) { p.mask = MaskPattern::top_k, p.vocab = 64; },
     "mask=top_k needs a vocabulary of at least 65, it is 64"},
    {"RandomHalfOfOneColumn", [](auto& p) { p.mask = MaskPattern::random, p.vocab = 1; },
     "mask=random needs a vocabulary of at least 2"},
    {"AllButOneOfOneColumn", [](auto& p) { p.mask = MaskPattern::all_but_one, p.vocab = 1; },
     "mask=all_but_one needs a vocabulary of at least 2"},
    {"WholeRowInFourRows", [](auto& p) { p.mask = MaskPattern::whole_row, p.tokens = 4; },
     "mask=whole_row needs at least 5 tokens, there are 4"},
    {"MaskWithoutRows", [](auto& p) { p.mask = MaskPattern::random, p.tokens = 0; },
     "mask=random needs at least 1 token"},
    {"NonfiniteInFourRows", [](auto& p) { p.logits = LogitsPattern::nonfinite, p.tokens = 4; },
     "logits=nonfinite needs at least 5 tokens"},
    {"PeakOfOneColumn", [](auto& p) { p.logits = LogitsPattern::one_peak, p.vocab = 1; },
     "logits=one_peak needs a vocabulary of at least 2"},
    {"TiesOfOneColumn", [](auto& p) { p.logits = LogitsPattern::ties, p.vocab = 1; },
     "logits=ties needs a vocabulary of at least 2"},
    {"AscendingOfOneColumn", [](auto& p) { p.logits = LogitsPattern::ascending, p.vocab = 1; },
     "logits=ascending needs a vocabulary of at least 2"},
    {"ExtremeWithoutRows", [](auto& p) { p.logits = LogitsPattern::extreme, p.tokens = 0; },
     "logits=extreme needs at least 1 token"},
    {"EdgesWithoutRows", [](auto& p) { p.labels = LabelPattern::shard_edges, p.tokens = 0; },
     "labels=shard_edges needs at least 1 token"},
    {"AllIgnoredWithoutRows", [](auto& p) { p.labels = LabelPattern::all_ignored, p.tokens = 0; },
     "labels=all_ignored needs at least 1 token"},
    {"LastIdThatIsIgnored", [](auto& p) { p.labels = LabelPattern::last_id, p.ignore_index = 202; },
     "labels=last_id needs the last id, which is the ignore_index 202"},
    {"SomeIgnoredOfOneRow", [](auto& p) { p.labels = LabelPattern::ignored_30, p.tokens = 1; },
     "labels=ignored_30 needs at least 2 tokens"},
    {"OneDpRankOfOne", [](auto& p) { p.labels = LabelPattern::one_dp_rank_ignored, p.dp = 1; },
     "labels=one_dp_rank_ignored needs two DP ranks with rows (dp=1, tokens=64)"},
    {"OneDpRankWithTheOtherEmpty",
     [](auto& p) {
       p.labels = LabelPattern::one_dp_rank_ignored;
       p.dp_rows = DpRows::one_empty;
     },
     "needs two DP ranks with rows (dp=2, tokens=64)"},
    {"OnlyClassIsIgnored", [](auto& p) { p.vocab = 1, p.ignore_index = 0; },
     "ignore_index=0 leaves no class"},
    {"MixedZerosInOneRow", [](auto& p) { p.weights = WeightPattern::zeros_mixed, p.tokens = 1; },
     "weights=zeros_mixed needs at least 2 tokens"},
    {"WeightsWithoutRows", [](auto& p) { p.weights = WeightPattern::advantages, p.tokens = 0; },
     "weights=advantages needs at least 1 token"},
    {"UnevenOnOneRank", [](auto& p) { p.dp_rows = DpRows::uneven, p.dp = 1; },
     "dp_rows=uneven needs dp > 1 and tokens > 0"},
    {"OneEmptyWithoutRows", [](auto& p) { p.dp_rows = DpRows::one_empty, p.tokens = 0; },
     "dp_rows=one_empty needs dp > 1 and tokens > 0 (dp=2, tokens=0)"},
};

INSTANTIATE_TEST_SUITE_P(Inputs, ImpossiblePattern, ::testing::ValuesIn(impossible),
                         [](const auto& test) { return test.param.name; });

TEST(PossiblePattern, NoRowsAreACaseOfTheirOwn) {
  CaseParameters parameters = pattern_base();
  parameters.tokens = 0;
  EXPECT_EQ(impossible_pattern(parameters), "");
}

TEST(PossiblePattern, AllIgnoredAtOneColumnThatIsTheIgnoreIndex) {
  CaseParameters parameters = with(pattern_base(), LabelPattern::all_ignored);
  parameters.vocab = 1;
  parameters.ignore_index = 0;
  EXPECT_EQ(impossible_pattern(parameters), "");
}

}  // namespace
}  // namespace vparity::harness
