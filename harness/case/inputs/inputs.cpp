#include "harness/case/inputs/inputs.h"

#include <algorithm>

#include "harness/case/inputs/dp_rows.h"
#include "harness/case/inputs/label_patterns.h"
#include "harness/case/inputs/logits_patterns.h"
#include "harness/case/inputs/mask_patterns.h"
#include "harness/case/inputs/philox.h"
#include "harness/case/inputs/weight_patterns.h"
#include "harness/case/storage.h"

namespace vparity::harness {

using philox::Stream;

CaseInputs::CaseInputs(const CaseParameters& parameters, std::uint64_t seed)
    : space_{parameters, seed, deal_rows(parameters),
             VocabularySplit::of_layout(parameters.layout, parameters.vocab, parameters.tp)} {}

void CaseInputs::logits(std::int64_t row, std::int64_t begin, std::span<float> out) const {
  const std::int64_t vocab = space_.parameters.vocab;
  const auto columns = static_cast<std::int64_t>(out.size());
  const auto valid = static_cast<std::size_t>(std::clamp(vocab - begin, std::int64_t{0}, columns));
  const std::span<float> real = out.first(valid);
  if (!real.empty()) {
    fill_logits(space_, row, begin, real);
    apply_mask(space_, row, begin, real);
    put_nonfinite(space_, row, begin, real);
  }
  if (valid < out.size()) {
    fill_padding(space_, row, std::max(begin, vocab), out.subspan(valid));
  }
  round_to(space_.parameters.dtype, out);
}

std::int64_t CaseInputs::id(std::int64_t row, int column) const {
  return token_id(space_, row, column);
}

float CaseInputs::grad_logprob(std::int64_t row, int column) const {
  if (!space_.parameters.grad_of.logprob) return 0;
  return upstream_weight(space_, Stream::grad_logprob, row, column);
}

float CaseInputs::grad_entropy(std::int64_t row) const {
  if (!space_.parameters.grad_of.entropy) return 0;
  return upstream_weight(space_, Stream::grad_entropy, row);
}

float CaseInputs::grad_loss(std::int64_t row) const {
  if (!space_.parameters.grad_of.loss) return 0;
  return upstream_weight(space_, Stream::grad_loss, row);
}

}  // namespace vparity::harness
