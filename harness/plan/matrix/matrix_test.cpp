#include "harness/plan/matrix/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/case/axes.h"
#include "harness/plan/matrix/matrix_file_test_support.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const char* models = R"({"schema": "vparity.models/1",
                         "models": {"qwen3": {"vocab": 151936, "source": "test"}}})";

std::string document(const std::string& sweeps, const std::string& defaults = "{}") {
  return R"({"schema": "vparity.matrix/1", "name": "test", "defaults": )" + defaults +
         R"(, "sweeps": )" + sweeps + "}";
}

Matrix matrix_of(const std::string& text) {
  const TemporaryFile file("test.json", text);
  file.add("models.json", models);
  return read_matrix(file.path());
}

std::string complaint(const std::string& text) {
  const TemporaryFile file("test.json", text);
  file.add("models.json", models);
  return error_of([&] { read_matrix(file.path()); }, file.path() + ": ");
}

TEST(Matrix, AxesMultiplyAndCasesAreAdded) {
  const Matrix matrix = matrix_of(document(
      R"([{"name": "s", "axes": {"tp": [1, 2], "vocab": [8, 9], "dtype": ["fp32", "bf16"]},
           "cases": [{"tp": 4, "vocab": 3, "tokens": 1}]}])"));
  ASSERT_EQ(matrix.cases.size(), 9U);  // 2 x 2 x 2 + 1
  EXPECT_EQ(matrix.cases.back().parameters.tp, 4);
  EXPECT_EQ(matrix.cases.back().parameters.tokens, 1);
  EXPECT_EQ(matrix.cases.back().sweep, "s");
  EXPECT_TRUE(matrix.cases.back().parity);
}

TEST(Matrix, DefaultsAndSeedHoldForAllSweeps) {
  const Matrix matrix = matrix_of(
      document(R"([{"name": "a", "axes": {"tp": [1]}}, {"name": "b", "cases": [{"tokens": 2}]}])",
               R"({"vocab": 100, "tokens": 5, "seed": 20260916})"));
  EXPECT_EQ(matrix.seed, 20260916U);
  EXPECT_EQ(matrix.name, "test");
  EXPECT_EQ(matrix.cases.at(0).parameters.tokens, 5);
  EXPECT_EQ(matrix.cases.at(1).parameters.tokens, 2);
  EXPECT_EQ(matrix.cases.at(1).parameters.vocab, 100);
}

TEST(Matrix, ModelsNameVocabularies) {
  const Matrix matrix = matrix_of(document(
      R"([{"name": "s", "axes": {"vocab": ["qwen3", 8]},
           "exclude": [{"when": {"vocab": "qwen3"}, "reason": "too large for here"}]}])"));
  ASSERT_EQ(matrix.cases.size(), 1U);
  EXPECT_EQ(matrix.excluded.at(0).points, 1);
  EXPECT_THAT(complaint(document(R"([{"name": "s", "axes": {"vocab": ["qwen"]}}])")),
              testing::AllOf(HasSubstr("/sweeps/0/axes/vocab/0: \"qwen\""),
                             HasSubstr("did you mean qwen3?")));
}

TEST(Matrix, AModelWithoutItsFileIsNamedByPlace) {
  const TemporaryFile file("test.json",
                           document(R"([{"name": "s", "axes": {"vocab": ["qwen3"]}}])"));
  EXPECT_THAT(error_of([&] { read_matrix(file.path()); }, file.path() + ": "),
              testing::AllOf(HasSubstr("/sweeps/0/axes/vocab/0: \"qwen3\""),
                             HasSubstr("models.json: No such file")));
}

TEST(Matrix, ExcludedPointsAreCountedWithTheirReason) {
  const Matrix matrix = matrix_of(document(
      R"([{"name": "s", "axes": {"tp": [1, 2], "dp": [1, 2], "vocab": [8]},
           "exclude": [{"when": {"tp": 2, "dp": 2}, "reason": "four ranks"},
                       {"when": {"tp": 7}, "reason": "never"}]}])"));
  EXPECT_EQ(matrix.cases.size(), 3U);
  ASSERT_EQ(matrix.excluded.size(), 2U);
  EXPECT_EQ(matrix.excluded[0].points, 1);
  EXPECT_EQ(matrix.excluded[0].reason, "four ranks");
  EXPECT_EQ(matrix.excluded[1].points, 0);
}

TEST(Matrix, PatternsThatCannotOccurAreDroppedFromAProductAndRefusedAsACase) {
  const Matrix matrix = matrix_of(document(
      R"([{"name": "s", "axes": {"tp": [1, 2], "vocab": [8], "mask": ["none", "one_shard"]}}])"));
  EXPECT_EQ(matrix.cases.size(), 3U);
  ASSERT_EQ(matrix.dropped.size(), 1U);
  EXPECT_EQ(matrix.dropped[0].points, 1);
  EXPECT_THAT(matrix.dropped[0].reason, HasSubstr("one_shard"));
  EXPECT_THAT(
      complaint(document(R"([{"name": "s", "cases": [{"vocab": 8, "mask": "one_shard"}]}])")),
      testing::StartsWith("/sweeps/0/cases/0: mask=one_shard"));
}

TEST(Matrix, OptionsThatContradictEachOtherAreDroppedFromAProduct) {
  const Matrix matrix = matrix_of(document(
      R"([{"name": "s", "axes": {"vocab": [8], "mode": ["fast", "gather"],
                                 "batch_invariant": [true]}},
          {"name": "t", "axes": {"vocab": [8], "dtype": ["fp32", "bf16"], "in_place": [true],
                                 "grad_dtype": ["fp32"]}}])"));
  EXPECT_EQ(matrix.cases.size(), 2U);
  ASSERT_EQ(matrix.dropped.size(), 2U);
  EXPECT_THAT(matrix.dropped[0].reason, HasSubstr("batch_invariant"));
  EXPECT_THAT(matrix.dropped[1].reason, HasSubstr("in_place"));
}

TEST(Matrix, UnknownKeysAreNamedWithTheNearestKnownOne) {
  EXPECT_EQ(complaint(R"({"schema": "vparity.matrix/1", "name": "t", "sweep": []})"),
            "unknown key \"sweep\" (did you mean sweeps?)");
  EXPECT_EQ(complaint(document(R"([{"name": "s", "axis": {}}])")),
            "/sweeps/0: unknown key \"axis\" (did you mean axes?)");
  EXPECT_EQ(complaint(document(R"([{"name": "s", "axes": {"vocabs": [8]}}])")),
            "/sweeps/0/axes: unknown key \"vocabs\" (did you mean vocab?)");
  EXPECT_EQ(complaint(document(R"([{"name": "s", "cases": [{"vocab": 8, "tps": 2}]}])")),
            "/sweeps/0/cases/0/tps: unknown axis \"tps\" (did you mean tp?)");
  EXPECT_EQ(complaint(document(R"([{"name": "s", "axes": {"vocab": [8]}}])", R"({"sed": 1})")),
            "/defaults: unknown key \"sed\" (did you mean seed?)");
}

TEST(Matrix, ErrorsNameTheElement) {
  EXPECT_EQ(complaint(document(R"([{"name": "s", "axes": {"vocab": [8, 9, 0]}}])")),
            "/sweeps/0/axes/vocab/2: vocab: 0 is not an integer from 1 to 4194304");
  EXPECT_EQ(complaint(document(R"([{"name": "s", "axes": {"vocab": 8}}])")),
            "/sweeps/0/axes/vocab: must be a list, not number");
  EXPECT_EQ(complaint(document(R"([{"name": "s", "axes": {"vocab": []}}])")),
            "/sweeps/0/axes/vocab: must not be an empty list");
  EXPECT_EQ(complaint(document(R"([{"name": "s", "axes": {"tp": [1]}}])")),
            "/sweeps/0/axes: vocab is missing: it has no default");
  EXPECT_EQ(complaint(document("[]")), "/sweeps: must not be an empty list");
  EXPECT_EQ(complaint("[]"), "must be an object, not array");
}

TEST(Matrix, ProvidersAreThoseOfTheBuild) {
  EXPECT_EQ(
      complaint(document(R"([{"name": "s", "axes": {"vocab": [8], "provider": ["vparty"]}}])")),
      "/sweeps/0/axes/provider/0: provider: \"vparty\" is not a known provider (did you mean "
      "vparity?)");
}

TEST(Matrix, AnEmptySweepIsAnError) {
  EXPECT_THAT(complaint(document(R"([{"name": "s"}])")),
              HasSubstr("/sweeps/0: the sweep is empty"));
  EXPECT_THAT(
      complaint(document(R"([{"name": "s", "axes": {"vocab": [8], "mask": ["one_shard"]}}])")),
      HasSubstr("/sweeps/0: the sweep is empty: every point"));
}

TEST(Matrix, OnlyWhatIsTimedAloneHasAnOperation) {
  EXPECT_EQ(
      complaint(document(
          R"([{"name": "s", "measure": ["throughput", "parity"], "cases": [{"vocab": 8, "op": "forward"}]}])")),
      "/sweeps/0/cases/0: op is timed, not checked: only a sweep that measures throughput "
      "alone may name it");
  EXPECT_EQ(
      complaint(document(
          R"([{"name": "s", "measure": ["throughput"], "cases": [{"vocab": 8, "in_place": true}]}])")),
      "/sweeps/0/cases/0: in_place is not timed: a second iteration would find no logits");
}

TEST(Matrix, TheProductsSizeIsLimitedBeforeItIsMade) {
  json axes = {{"vocab", {8}}};
  for (const char* axis : {"tp", "dp", "tokens", "chunk", "ids", "ignore_index"})
    axes[axis] = std::vector<int>(1000, 1);
  const json sweeps = {{{"name", "s"}, {"axes", axes}}};
  EXPECT_EQ(complaint(document(sweeps.dump())),
            "/sweeps/0/axes: the matrix has more than 100000 points");
}

TEST(MatrixSchema, ListsTheVeryValuesOfEachAxis) {
  const json schema = json::parse(matrix_schema());
  const json& axes = schema.at("$defs").at("axis");
  EXPECT_EQ(axes.size(), axis_names().size());
  for (const std::string& axis : axis_names()) {
    ASSERT_TRUE(axes.contains(axis)) << axis;
    const std::vector<json>& values = enumerated_values(axis);
    if (!values.empty() && values.front().is_string()) {
      EXPECT_EQ(axes[axis].at("enum").get<std::vector<json>>(), values) << axis;
    }
  }
}

}  // namespace
}  // namespace vparity::harness
