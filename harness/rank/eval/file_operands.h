// The operands of a problem in a safetensors file (docs/command-line.md, `vparity eval`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/case/operands.h"
#include "harness/case/parameters.h"
#include "harness/io/safetensors/safetensors_file.h"

namespace vparity::harness {

/// logits [T, V] F32, BF16 or F16; labels [T] or [T, K], I64 or I32; optional, F32: grad_logprob of
/// the labels' shape, grad_entropy [T], grad_loss [T] (1 if all three are absent); optional dp_rows
/// [DP] I64 (default: as even as possible, larger ones first).
class FileOperands final : public Operands {
 public:
  /// Throws UsageError naming the file, the tensor and what would be right.
  FileOperands(const std::string& path, int dp);

  /// Throws UsageError for the first label outside [0, V) that is not `ignore_index`.
  void check_labels(std::int64_t ignore_index) const;

  /// Sets what the file decides: tokens, vocab, dtype, ids, grad_of.
  void complete(CaseParameters& parameters) const;
  const TensorInfo& labels_info() const { return labels_->info; }

  const std::vector<std::int64_t>& dp_rows() const override { return dp_rows_; }
  /// Padding columns hold NaN: the worst garbage there is.
  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override;
  std::int64_t id(std::int64_t row, int column) const override;
  float grad_logprob(std::int64_t row, int column) const override;
  float grad_entropy(std::int64_t row) const override;
  float grad_loss(std::int64_t row) const override;

 private:
  const TensorView& required(std::string_view name) const;
  const TensorView* optional_floats(std::string_view name,
                                    const std::vector<std::int64_t>& shape) const;
  bool has_grad_loss() const;
  void check_names() const;
  void read_logits();
  void read_labels();
  std::vector<std::int64_t> read_dp_rows(int dp) const;
  [[noreturn]] void fail(const TensorView& tensor, const std::string& message) const;

  SafetensorsFile file_;
  const TensorView* logits_ = nullptr;
  const TensorView* labels_ = nullptr;
  const TensorView* grad_logprob_ = nullptr;
  const TensorView* grad_entropy_ = nullptr;
  const TensorView* grad_loss_ = nullptr;
  DType dtype_ = DType::fp32;
  std::int64_t tokens_ = 0;
  std::int64_t vocab_ = 0;
  std::int64_t id_columns_ = 1;
  std::vector<std::int64_t> dp_rows_;
};

}  // namespace vparity::harness
