#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "harness/case/inputs/inputs.h"
#include "harness/io/atomic_file.h"
#include "harness/io/safetensors/safetensors_writer.h"
#include "harness/io/usage_error.h"
#include "harness/rank/eval/eval_request.h"
#include "harness/rank/eval/file_operands.h"
#include "harness/rank/eval/operands_file.h"

namespace vparity::harness {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct Tensor {
  TensorInfo info;
  std::string bytes;
};

template <class T>
Tensor tensor(std::string name, TensorType type, std::vector<std::int64_t> shape,
              const std::vector<T>& values) {
  return {{std::move(name), type, std::move(shape)},
          {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}};
}

class EvalOperandsTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const std::vector<Tensor>& tensors) const {
    std::vector<TensorInfo> infos;
    for (const Tensor& t : tensors) infos.push_back(t.info);
    reports::TemporaryFile file(path_);
    SafetensorsWriter writer(file.path(), infos);
    writer.write_header();
    for (const Tensor& t : tensors) writer.write(t.info.name, 0, std::as_bytes(std::span(t.bytes)));
    file.commit();
  }

  /// The message with which these tensors are refused.
  std::string refusal(const std::vector<Tensor>& tensors, int dp = 1) const {
    write(tensors);
    try {
      FileOperands operands(path_, dp);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }

  const std::string path_ = testing::TempDir() +
                            testing::UnitTest::GetInstance()->current_test_info()->name() +
                            ".safetensors";
};

const Tensor logits = tensor<float>("logits", TensorType::f32, {2, 3}, {0, 1, 2, 3, 4, 5});
const Tensor labels = tensor<std::int64_t>("labels", TensorType::i64, {2}, {2, -100});

TEST_F(EvalOperandsTest, RowsOfTheFileAreRowsOfTheProblem) {
  write({logits, labels});
  const FileOperands operands(path_, 1);
  std::vector<float> row(2);
  operands.logits(1, 1, row);
  EXPECT_THAT(row, ElementsAre(4, 5));
  EXPECT_EQ(operands.id(0, 0), 2);
  EXPECT_EQ(operands.id(1, 0), -100);
}

TEST_F(EvalOperandsTest, PaddingColumnsHoldNaN) {
  write({logits, labels});
  std::vector<float> row(3, 7);
  const FileOperands operands(path_, 1);
  operands.logits(0, 2, row);
  EXPECT_EQ(row[0], 2);
  EXPECT_TRUE(std::isnan(row[1]) && std::isnan(row[2]));
  operands.logits(0, 5, row);
  EXPECT_TRUE(std::isnan(row[0]));
}

TEST_F(EvalOperandsTest, SixteenBitLogitsAreReadExactly) {
  write({tensor<std::uint16_t>("logits", TensorType::bf16, {1, 3}, {0x3F80, 0xFF80, 0x4049}),
         tensor<std::int32_t>("labels", TensorType::i32, {1, 2}, {1, -7})});
  const FileOperands bf16(path_, 1);
  std::vector<float> row(3);
  bf16.logits(0, 0, row);
  EXPECT_THAT(row, ElementsAre(1, -std::numeric_limits<float>::infinity(), 3.140625F));
  EXPECT_EQ(bf16.id(0, 1), -7);
}

TEST_F(EvalOperandsTest, LossAloneIsDifferentiatedUnlessTheFileSaysOtherwise) {
  CaseParameters parameters;
  write({logits, labels});
  const FileOperands plain(path_, 1);
  plain.complete(parameters);
  EXPECT_EQ(plain.grad_loss(1), 1);
  EXPECT_EQ(plain.grad_entropy(1), 0);
  EXPECT_EQ(parameters.grad_of, (GradientOf{true, false, false}));

  write({logits, labels, tensor<float>("grad_entropy", TensorType::f32, {2}, {0.5F, -2})});
  const FileOperands entropy(path_, 1);
  entropy.complete(parameters);
  EXPECT_EQ(entropy.grad_loss(1), 0);
  EXPECT_EQ(entropy.grad_entropy(1), -2);
  EXPECT_EQ(parameters.grad_of, (GradientOf{false, false, true}));
}

TEST_F(EvalOperandsTest, RowsAreDealtEvenlyWithTheLargerPartsFirst) {
  write({tensor<float>("logits", TensorType::f32, {5, 1}, {0, 0, 0, 0, 0}),
         tensor<std::int64_t>("labels", TensorType::i64, {5}, {0, 0, 0, 0, 0})});
  EXPECT_THAT(FileOperands(path_, 3).dp_rows(), ElementsAre(2, 2, 1));
  EXPECT_THAT(FileOperands(path_, 7).dp_rows(), ElementsAre(1, 1, 1, 1, 1, 0, 0));
}

TEST_F(EvalOperandsTest, RowsAreDealtAsTheFileSays) {
  write({logits, labels, tensor<std::int64_t>("dp_rows", TensorType::i64, {3}, {0, 2, 0})});
  EXPECT_THAT(FileOperands(path_, 3).dp_rows(), ElementsAre(0, 2, 0));
}

TEST_F(EvalOperandsTest, EmptyProblemIsAccepted) {
  write({tensor<float>("logits", TensorType::f32, {0, 8}, {}),
         tensor<std::int64_t>("labels", TensorType::i64, {0, 2}, {})});
  CaseParameters parameters;
  const FileOperands operands(path_, 2);
  operands.complete(parameters);
  EXPECT_EQ(parameters.tokens, 0);
  EXPECT_EQ(parameters.vocab, 8);
  EXPECT_EQ(parameters.ids, 2);
  EXPECT_THAT(operands.dp_rows(), ElementsAre(0, 0));
}

TEST_F(EvalOperandsTest, LabelOutsideTheVocabularyIsNamedWithItsRow) {
  write({logits, tensor<std::int64_t>("labels", TensorType::i64, {2}, {2, 4294967299})});
  const FileOperands operands(path_, 1);
  EXPECT_THAT([&] { operands.check_labels(-100); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("tensor 'labels'"), HasSubstr("4294967299"),
                                              HasSubstr("global row 1"), HasSubstr("3"))));
  EXPECT_NO_THROW(operands.check_labels(4294967299));
}

TEST_F(EvalOperandsTest, TensorsThatAreUnknownOrMissingAreNamed) {
  EXPECT_THAT(refusal({logits, labels, tensor<float>("grad_los", TensorType::f32, {2}, {1, 1})}),
              HasSubstr("tensor 'grad_los': not an input of eval (did you mean grad_loss?)"));
  EXPECT_THAT(refusal({labels}), HasSubstr("tensor 'logits' is missing"));
  EXPECT_THAT(refusal({logits}), HasSubstr("tensor 'labels' is missing"));
}

TEST_F(EvalOperandsTest, TypesAndShapesThatDoNotFitAreNamed) {
  const auto f64 = tensor<double>("logits", TensorType::f64, {2, 3}, {0, 1, 2, 3, 4, 5});
  EXPECT_THAT(refusal({f64, labels}), HasSubstr("'logits': F64 [2, 3], must be F32, BF16 or F16"));
  const auto flat = tensor<float>("logits", TensorType::f32, {2}, {0, 1});
  EXPECT_THAT(refusal({flat, labels}), HasSubstr("must be F32, BF16 or F16 of shape [T, V]"));
  const auto no_columns = tensor<float>("logits", TensorType::f32, {2, 0}, {});
  EXPECT_THAT(refusal({no_columns, labels}), HasSubstr("V must be 1 to 4194304"));

  const auto float_labels = tensor<float>("labels", TensorType::f32, {2}, {0, 1});
  EXPECT_THAT(refusal({logits, float_labels}), HasSubstr("'labels': F32 [2], must be I64 or I32"));
  const auto long_labels = tensor<std::int64_t>("labels", TensorType::i64, {3}, {0, 1, 2});
  EXPECT_THAT(refusal({logits, long_labels}), HasSubstr("of shape [2] or [2, K]"));
  const auto no_ids = tensor<std::int64_t>("labels", TensorType::i64, {2, 0}, {});
  EXPECT_THAT(refusal({logits, no_ids}), HasSubstr("with K >= 1"));

  const auto column = tensor<float>("grad_logprob", TensorType::f32, {2, 1}, {0, 1});
  EXPECT_THAT(refusal({logits, labels, column}),
              HasSubstr("'grad_logprob': F32 [2, 1], must be F32 [2]"));
}

TEST_F(EvalOperandsTest, RowsThatDoNotAddUpAreRefused) {
  const auto rows = [](std::vector<std::int64_t> values) {
    const auto ranks = static_cast<std::int64_t>(values.size());
    return tensor<std::int64_t>("dp_rows", TensorType::i64, {ranks}, values);
  };
  EXPECT_THAT(refusal({logits, labels, rows({2})}, 2), HasSubstr("must be I64 [2] for --dp 2"));
  for (const auto& wrong : {rows({1, 2}), rows({3, -1}), rows({1, 0}),
                            rows({std::numeric_limits<std::int64_t>::max(), 2})})
    EXPECT_THAT(refusal({logits, labels, wrong}, 2), HasSubstr("add up to the 2 rows of logits"));
}

TEST_F(EvalOperandsTest, OperandsOfACaseComeBackFromTheirFile) {
  CaseParameters parameters;
  parameters.dp = 2;
  parameters.tokens = 5;
  parameters.vocab = 7;
  parameters.ids = 2;
  parameters.dtype = DType::fp16;
  parameters.dp_rows = DpRows::one_empty;
  parameters.weights = WeightPattern::random_signed;
  parameters.grad_of = {true, true, true};
  const CaseInputs inputs(parameters, 1);
  write_operands(path_, parameters, inputs);

  const FileOperands read(path_, 2);
  read.check_labels(parameters.ignore_index);
  EXPECT_EQ(read.dp_rows(), inputs.dp_rows());
  for (std::int64_t row = 0; row < parameters.tokens; ++row) {
    std::vector<float> expected(7), actual(7);
    inputs.logits(row, 0, expected);
    read.logits(row, 0, actual);
    EXPECT_EQ(actual, expected);
    EXPECT_EQ(read.grad_loss(row), inputs.grad_loss(row));
    EXPECT_EQ(read.grad_entropy(row), inputs.grad_entropy(row));
    for (int k = 0; k < 2; ++k) {
      EXPECT_EQ(read.id(row, k), inputs.id(row, k));
      EXPECT_EQ(read.grad_logprob(row, k), inputs.grad_logprob(row, k));
    }
  }
}

TEST(EvalRequest, ReplayCommandStatesWhatIsNotDefault) {
  CaseParameters parameters;
  parameters.tp = 4;
  parameters.mode = Mode::gather;
  parameters.batch_invariant = true;
  parameters.temperature = 0.7F;
  parameters.ignore_index = -1;
  EXPECT_EQ(
      replay_command("case.safetensors", parameters),
      "vparity eval case.safetensors --tp 4 --mode gather --batch-invariant --temperature 0.7 "
      "--ignore-index -1 --launcher mpirun");
  EXPECT_EQ(replay_command("my cases/it's.safetensors", {}),
            R"(vparity eval 'my cases/it'\''s.safetensors' --launcher mpirun)");
}

TEST(EvalRequest, SurvivesTheJobFile) {
  EvalRequest request{"in", "out", {}};
  request.parameters.softcap = 30.0F;
  request.parameters.layout = Layout::padded;
  request.parameters.ignore_index = std::numeric_limits<std::int64_t>::min();
  const EvalRequest read = eval_request_from_json(nlohmann::json::parse(to_json(request).dump()));
  EXPECT_EQ(read.input, "in");
  EXPECT_EQ(read.output, "out");
  EXPECT_EQ(read.parameters, request.parameters);
}

TEST(EvalRequest, WhatCannotGoTogetherIsRefusedWithTheWayOut) {
  EvalRequest request;
  request.parameters.batch_invariant = true;
  EXPECT_THAT(
      [&] { validate(request); },
      ThrowsMessage<UsageError>(AllOf(HasSubstr("batch"), HasSubstr("use --mode reproducible"))));
  request.parameters.mode = Mode::reproducible;
  EXPECT_NO_THROW(validate(request));
  request.parameters.label_smoothing = 0.1F;
  EXPECT_THAT([&] { validate(request); },
              ThrowsMessage<UsageError>(HasSubstr("--label-smoothing is not offered")));
  request.parameters.mode = Mode::gather;
  EXPECT_NO_THROW(validate(request));
}

}  // namespace
}  // namespace vparity::harness
