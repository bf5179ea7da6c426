#include "harness/rank/execution/rank_inputs.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "harness/case/storage.h"

namespace vparity::harness {
namespace {

class Hash {
 public:
  Hash() : state_(XXH3_createState(), XXH3_freeState) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(state_.get());
  }
  void add(std::span<const std::byte> bytes) {
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
  }
  std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace

RankInputs::RankInputs(const Operands& operands, const Problem& problem, GradientOf grad_of,
                       RowPlacement placement, int dp_rank, const ShardColumns& columns)
    : rows_(operands.dp_rows().at(static_cast<std::size_t>(dp_rank))),
      first_row_(operands.first_row(dp_rank)),
      id_columns_(problem.id_columns),
      grad_of_(grad_of),
      columns_(columns),
      buffer_(
          std::make_shared<GuardedRows>(problem.logits_dtype, rows_, columns.width, placement)) {
  fill_logits(operands, problem.logits_dtype);
  fill_others(operands);
}

void RankInputs::fill_logits(const Operands& operands, DType dtype) {
  std::vector<float> row(static_cast<std::size_t>(columns_.width));
  for (std::int64_t t = 0; t < rows_; ++t) {
    operands.logits(first_row_ + t, columns_.begin, row);
    encode(dtype, row, buffer_->mutable_rows().row(t));
  }
}

void RankInputs::fill_others(const Operands& operands) {
  for (std::int64_t row = first_row_; row < first_row_ + rows_; ++row) {
    for (int k = 0; k < id_columns_; ++k) {
      ids_.push_back(operands.id(row, k));
      if (grad_of_.logprob) grad_logprob_.push_back(operands.grad_logprob(row, k));
    }
    if (grad_of_.entropy) grad_entropy_.push_back(operands.grad_entropy(row));
    if (grad_of_.loss) grad_loss_.push_back(operands.grad_loss(row));
  }
}

TokenIds RankInputs::ids() const {
  return Replicated<const std::int64_t>(ids_.data(), rows_, id_columns_);
}

UpstreamGradients RankInputs::upstream() const {
  UpstreamGradients upstream;
  if (grad_of_.logprob) upstream.logprob = {grad_logprob_.data(), rows_, id_columns_};
  if (grad_of_.entropy) upstream.entropy = {grad_entropy_.data(), rows_};
  if (grad_of_.loss) upstream.loss = {grad_loss_.data(), rows_};
  return upstream;
}

InputHashes RankInputs::hashes() const {
  Hash logits, others;
  for (std::int64_t t = 0; t < rows_; ++t) logits.add(buffer_->row_bytes(t));
  others.add(bytes_of(ids_));
  others.add(bytes_of(grad_logprob_));
  others.add(bytes_of(grad_entropy_));
  others.add(bytes_of(grad_loss_));
  return {logits.value(), others.value()};
}

Occurrence RankInputs::occurrence(const Problem& problem, bool replicated_too) const {
  Occurrence counted;
  counted.finite_padding = count_finite_padding(problem.logits_dtype);
  if (!replicated_too) return counted;
  for (const float weight : grad_logprob_) counted.add_upstream(weight);
  for (const float weight : grad_entropy_) counted.add_upstream(weight);
  for (const float weight : grad_loss_) counted.add_upstream(weight);
  const bool ignored = count_ignored_labels(problem.options.ignore_index) == rows_;
  counted.dp_ranks_without_rows = rows_ == 0 ? 1 : 0;
  counted.dp_ranks_ignored = rows_ > 0 && ignored ? 1 : 0;
  return counted;
}

std::int64_t RankInputs::count_finite_padding(DType dtype) const {
  std::int64_t count = 0;
  std::vector<float> padding(static_cast<std::size_t>(columns_.width - columns_.valid()));
  const std::size_t offset = static_cast<std::size_t>(columns_.valid()) * size_of(dtype);
  for (std::int64_t t = 0; t < rows_; ++t) {
    decode(dtype, buffer_->row_bytes(t).data() + offset, padding);
    count += std::ranges::count_if(padding, [](float x) { return std::isfinite(x); });
  }
  return count;
}

std::int64_t RankInputs::count_ignored_labels(std::int64_t ignore_index) const {
  std::int64_t count = 0;
  for (std::int64_t t = 0; t < rows_; ++t) count += ids()(t, 0) == ignore_index ? 1 : 0;
  return count;
}

}  // namespace vparity::harness
