#include "harness/io/usage_error.h"

#include <gtest/gtest.h>

namespace vparity::harness {
namespace {

const std::vector<std::string> known = {"tokens", "tp", "vocab"};

TEST(Suggestion, NamesTheKnownWordOneSlipAway) {
  EXPECT_EQ(suggestion("vocabs", known), " (did you mean vocab?)");
  EXPECT_EQ(suggestion("token", known), " (did you mean tokens?)");
  EXPECT_EQ(suggestion("tpp", known), " (did you mean tp?)");
}

TEST(Suggestion, PrefersTheNearerOfTwo) {
  EXPECT_EQ(suggestion("ceii", {"ceiling", "ceil"}), " (did you mean ceil?)");
}

TEST(Suggestion, ListsWhatIsKnownWhenNothingIsNear) {
  EXPECT_EQ(suggestion("banana", known), " (known: tokens, tp, vocab)");
  EXPECT_EQ(suggestion("", known), " (known: tokens, tp, vocab)");
}

TEST(Suggestion, DoesNotCompareTextNobodyMistyped) {
  EXPECT_EQ(suggestion(std::string(1'000'000, 'x'), known), " (known: tokens, tp, vocab)");
}

TEST(Suggestion, IsSilentWhereNothingIsKnown) { EXPECT_EQ(suggestion("x", {}), ""); }

}  // namespace
}  // namespace vparity::harness
