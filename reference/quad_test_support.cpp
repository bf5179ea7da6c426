#include "reference/quad_test_support.h"

#include <algorithm>
#include <utility>

namespace vparity::reference {

QuadRow::QuadRow(std::vector<Quad> logits, std::span<const std::int64_t> ids,
                 const Parameters& parameters)
    : logits_(std::move(logits)), ids_(ids.begin(), ids.end()), parameters_(parameters) {
  const Quad tau = parameters.temperature;
  for (const Quad x : logits_) {
    Quad y = x / tau;
    if (parameters.softcap && !isinfq(x)) {
      const Quad c = *parameters.softcap;
      y = c * tanhq(x / c) / tau;
    }
    log_p_.push_back(y);
  }

  const Quad largest = *std::ranges::max_element(log_p_);
  Quad sum = 0;
  for (const Quad y : log_p_) sum += expq(y - largest);
  lse_ = largest + logq(sum);

  for (Quad& log_p : log_p_) {
    if (isinfq(log_p)) continue;
    log_p -= lse_;
    valid_columns_ += 1;
    entropy_ -= expq(log_p) * log_p;
  }
}

Quad QuadRow::logprob(std::size_t k) const {
  return is_ignored(k) ? 0 : log_p_[static_cast<std::size_t>(ids_[k])];
}

Quad QuadRow::loss() const {
  if (is_ignored(0)) return 0;
  const Quad eps = parameters_.label_smoothing;
  Quad smoothed = 0;  // cross-entropy against the uniform distribution over the valid columns
  for (const Quad log_p : log_p_) {
    if (!isinfq(log_p)) smoothed -= log_p / valid_columns_;
  }
  return -(1 - eps) * logprob(0) + eps * smoothed + Quad{parameters_.z_loss} * lse_ * lse_;
}

Quad QuadRow::objective(const Upstream& upstream) const {
  Quad sum = Quad{upstream.entropy} * entropy_ + Quad{upstream.loss} * loss();
  for (std::size_t k = 0; k < ids_.size(); ++k) sum += Quad{upstream.logprob[k]} * logprob(k);
  return sum;
}

Quad QuadRow::gradient(const Upstream& upstream, std::int64_t v) const {
  const Quad log_p = log_p_[static_cast<std::size_t>(v)];
  const Quad p = expq(log_p);
  const auto d_logprob = [&](std::size_t k) {
    return is_ignored(k) ? Quad{0} : Quad{ids_[k] == v ? 1.0 : 0.0} - p;
  };
  const Quad eps = parameters_.label_smoothing;
  const Quad d_entropy = -p * (log_p + entropy_);
  const Quad d_loss = -(1 - eps) * d_logprob(0) - eps * (1 / valid_columns_ - p) +
                      2 * Quad{parameters_.z_loss} * lse_ * p;

  Quad sum = Quad{upstream.entropy} * d_entropy;
  if (!is_ignored(0)) sum += Quad{upstream.loss} * d_loss;
  for (std::size_t k = 0; k < ids_.size(); ++k) sum += Quad{upstream.logprob[k]} * d_logprob(k);

  Quad dy_dx = 1 / Quad{parameters_.temperature};
  if (parameters_.softcap) {
    const Quad cosh = coshq(logits_[static_cast<std::size_t>(v)] / Quad{*parameters_.softcap});
    dy_dx /= cosh * cosh;
  }
  return sum * dy_dx;
}

}  // namespace vparity::reference
