#include "harness/rank/eval/file_operands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "harness/case/inputs/dp_rows.h"
#include "harness/case/storage.h"
#include "harness/io/usage_error.h"
#include "harness/rank/eval/logits_type.h"
#include "vparity/errors.h"

namespace vparity::harness {
namespace {

const std::vector<std::string> known_names{"logits",       "labels",    "grad_logprob",
                                           "grad_entropy", "grad_loss", "dp_rows"};

float value_or_zero(const TensorView* tensor, std::int64_t index) {
  return tensor == nullptr ? 0.0F : tensor->at<float>(index);
}

}  // namespace

FileOperands::FileOperands(const std::string& path, int dp) : file_(path) {
  check_names();
  read_logits();
  read_labels();
  grad_logprob_ = optional_floats("grad_logprob", labels_->info.shape);
  grad_entropy_ = optional_floats("grad_entropy", {tokens_});
  grad_loss_ = optional_floats("grad_loss", {tokens_});
  dp_rows_ = read_dp_rows(dp);
}

void FileOperands::fail(const TensorView& tensor, const std::string& message) const {
  throw UsageError(fmt::format("{}: tensor '{}': {}", file_.path(), tensor.info.name, message));
}

void FileOperands::check_names() const {
  for (const TensorView& tensor : file_.tensors())
    if (std::ranges::find(known_names, tensor.info.name) == known_names.end())
      fail(tensor, "not an input of eval" + suggestion(tensor.info.name, known_names));
}

const TensorView& FileOperands::required(std::string_view name) const {
  if (const TensorView* tensor = file_.find(name)) return *tensor;
  throw UsageError(fmt::format("{}: tensor '{}' is missing", file_.path(), name));
}

void FileOperands::read_logits() {
  logits_ = &required("logits");
  const TensorInfo& info = logits_->info;
  const std::optional<DType> dtype = dtype_of(info.type);
  if (!dtype || info.shape.size() != 2)
    fail(*logits_, fmt::format("{}, must be F32, BF16 or F16 of shape [T, V]", describe(info)));
  dtype_ = *dtype;
  tokens_ = info.shape[0];
  vocab_ = info.shape[1];
  if (vocab_ < 1 || vocab_ > max_vocab)
    fail(*logits_, fmt::format("{}, V must be 1 to {}", describe(info), max_vocab));
}

void FileOperands::read_labels() {
  labels_ = &required("labels");
  const TensorInfo& info = labels_->info;
  const std::vector<std::int64_t>& shape = info.shape;
  const bool integers = info.type == TensorType::i64 || info.type == TensorType::i32;
  const bool fits = (shape.size() == 1 || shape.size() == 2) && shape[0] == tokens_;
  id_columns_ = shape.size() == 2 ? shape[1] : 1;
  if (!integers || !fits || id_columns_ < 1 || id_columns_ > std::numeric_limits<int>::max())
    fail(*labels_, fmt::format("{}, must be I64 or I32 of shape [{}] or [{}, K] with K >= 1",
                               describe(info), tokens_, tokens_));
}

const TensorView* FileOperands::optional_floats(std::string_view name,
                                                const std::vector<std::int64_t>& shape) const {
  const TensorView* tensor = file_.find(name);
  const TensorInfo needed{std::string(name), TensorType::f32, shape};
  if (tensor != nullptr && describe(tensor->info) != describe(needed))
    fail(*tensor, fmt::format("{}, must be {}", describe(tensor->info), describe(needed)));
  return tensor;
}

std::vector<std::int64_t> FileOperands::read_dp_rows(int dp) const {
  const TensorView* tensor = file_.find("dp_rows");
  if (tensor == nullptr) {
    CaseParameters parameters;
    parameters.tokens = tokens_;
    parameters.dp = dp;
    return deal_rows(parameters);
  }
  const TensorInfo needed{"dp_rows", TensorType::i64, {dp}};
  if (describe(tensor->info) != describe(needed))
    fail(*tensor,
         fmt::format("{}, must be {} for --dp {}", describe(tensor->info), describe(needed), dp));
  std::vector<std::int64_t> rows;
  std::int64_t left = tokens_;
  for (int r = 0; r < dp; ++r) {
    rows.push_back(tensor->at<std::int64_t>(r));
    if (rows.back() < 0 || rows.back() > left) break;
    left -= rows.back();
  }
  if (left != 0 || rows.size() != static_cast<std::size_t>(dp))
    fail(*tensor, fmt::format("must hold {} numbers >= 0 that add up to the {} rows of logits", dp,
                              tokens_));
  return rows;
}

void FileOperands::check_labels(std::int64_t ignore_index) const {
  for (std::int64_t row = 0; row < tokens_; ++row)
    for (int k = 0; k < id_columns_; ++k) {
      const std::int64_t label = id(row, k);
      if ((label < 0 || label >= vocab_) && label != ignore_index)
        fail(*labels_, LabelError(row, k, label, vocab_).what());
    }
}

void FileOperands::complete(CaseParameters& parameters) const {
  parameters.tokens = tokens_;
  parameters.vocab = vocab_;
  parameters.dtype = dtype_;
  parameters.ids = static_cast<int>(id_columns_);
  parameters.grad_of.logprob = grad_logprob_ != nullptr;
  parameters.grad_of.entropy = grad_entropy_ != nullptr;
  parameters.grad_of.loss = has_grad_loss();
}

bool FileOperands::has_grad_loss() const {
  return grad_loss_ != nullptr || (grad_logprob_ == nullptr && grad_entropy_ == nullptr);
}

void FileOperands::logits(std::int64_t row, std::int64_t begin, std::span<float> out) const {
  const std::int64_t columns = static_cast<std::int64_t>(out.size());
  const std::int64_t valid = std::clamp<std::int64_t>(vocab_ - begin, 0, columns);
  const auto stored = static_cast<std::size_t>(valid);
  const std::int64_t first = (row * vocab_ + begin) * static_cast<std::int64_t>(size_of(dtype_));
  decode(dtype_, logits_->bytes.data() + first, out.first(stored));
  std::ranges::fill(out.subspan(stored), std::numeric_limits<float>::quiet_NaN());
}

std::int64_t FileOperands::id(std::int64_t row, int column) const {
  const std::int64_t index = row * id_columns_ + column;
  if (labels_->info.type == TensorType::i32) return labels_->at<std::int32_t>(index);
  return labels_->at<std::int64_t>(index);
}

float FileOperands::grad_logprob(std::int64_t row, int column) const {
  return value_or_zero(grad_logprob_, row * id_columns_ + column);
}

float FileOperands::grad_entropy(std::int64_t row) const {
  return value_or_zero(grad_entropy_, row);
}

float FileOperands::grad_loss(std::int64_t row) const {
  if (grad_loss_ == nullptr) return has_grad_loss() ? 1.0F : 0.0F;
  return grad_loss_->at<float>(row);
}

}  // namespace vparity::harness
