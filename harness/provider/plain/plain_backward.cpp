#include <algorithm>
#include <cmath>

#include "harness/case/storage.h"
#include "harness/provider/plain/plain_kernels.h"

namespace vparity::harness {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

bool PlainUpstream::all_zero() const {
  return entropy == 0 && loss == 0 && std::ranges::all_of(logprob, [](double g) { return g == 0; });
}

void PlainKernels::backward(const VocabShard& logits, const TokenIds& ids,
                            const UpstreamGradients& upstream, const MutableVocabShard& gradient) {
  for (std::int64_t t = 0; t < logits.rows().rows; ++t) {
    const auto t_ids = row_ids(ids, t);
    const auto x = read_row(logits.rows(), t);
    std::vector<double> row = row_gradient(rows_[static_cast<std::size_t>(t)], t_ids,
                                           row_upstream(upstream, t_ids, t), x);
    row.resize(static_cast<std::size_t>(own_.width), 0);  // padding
    write_elements(gradient.rows(), t, row);
  }
}

double PlainKernels::upstream(const Replicated<const float>& view, std::int64_t t, int k) const {
  return view.present() ? double{view(t, k)} : 0;
}

double PlainKernels::loss_divisor() const {
  if (problem_.options.reduction == Reduction::sum) return 1;
  return static_cast<double>(std::max<std::int64_t>(global_valid_tokens_, 1));
}

PlainUpstream PlainKernels::row_upstream(const UpstreamGradients& views,
                                         std::span<const std::int64_t> ids, std::int64_t t) const {
  PlainUpstream g;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    g.logprob.push_back(ignored(ids[k]) ? 0 : upstream(views.logprob, t, static_cast<int>(k)));
  }
  g.entropy = upstream(views.entropy, t, 0);
  g.loss = ignored(ids.front()) ? 0 : upstream(views.loss, t, 0) / loss_divisor();
  return g;
}

std::vector<double> PlainKernels::row_gradient(const PlainRow& row,
                                               std::span<const std::int64_t> ids,
                                               const PlainUpstream& g,
                                               std::span<const double> x) const {
  if (g.all_zero()) return std::vector<double>(x.size(), 0);
  return used_row_gradient(row, ids, g, x);
}

std::vector<double> PlainKernels::used_row_gradient(const PlainRow& row,
                                                    std::span<const std::int64_t> ids,
                                                    const PlainUpstream& g,
                                                    std::span<const double> x) const {
  if (!std::isfinite(row.sums.max)) {
    return std::vector<double>(x.size(), std::numeric_limits<double>::quiet_NaN());
  }
  const Options& options = problem_.options;
  double A = -g.entropy * row.entropy + g.loss * (1 + 2 * double{options.z_loss} * row.lse);
  for (const double g_k : g.logprob) A -= g_k;
  const double B = -g.entropy;
  const double D = -double{options.label_smoothing} * g.loss / row.sums.n;

  std::vector<double> gradient;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double y = one_hot(ids, g, own_.begin + static_cast<std::int64_t>(i));
    if (x[i] != -infinite) {
      const double log_p = centred(transformed(x[i]), row.sums.max) - row.log_sum;
      y += probability(log_p) * (A + B * log_p) + D;
    }
    gradient.push_back(y * slope(x[i]) / options.temperature);
  }
  return gradient;
}

double PlainKernels::probability(double log_p) const { return std::exp(log_p); }

double PlainKernels::one_hot(std::span<const std::int64_t> ids, const PlainUpstream& g,
                             std::int64_t v) const {
  double sum = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (ids[k] == v) sum += g.logprob[k];
  }
  if (ids.front() == v) sum -= (1 - double{problem_.options.label_smoothing}) * g.loss;
  return sum;
}

double PlainKernels::slope(double x) const {
  if (!problem_.options.softcap) return 1;
  const double cosh = std::cosh(x / *problem_.options.softcap);
  return 1 / (cosh * cosh);
}

std::int64_t PlainKernels::row_offset(std::int64_t t, std::int64_t row_stride, DType dtype) const {
  return t * row_stride * static_cast<std::int64_t>(size_of(dtype));
}

std::vector<double> PlainKernels::read_row(const Rows& rows, std::int64_t t) const {
  std::vector<float> values(static_cast<std::size_t>(own_.valid()));
  decode(rows.dtype, rows.data + row_offset(t, rows.row_stride, rows.dtype), values);
  return {values.begin(), values.end()};
}

void PlainKernels::write_elements(const MutableRows& rows, std::int64_t t,
                                  std::span<const double> values) const {
  std::vector<float> stored(values.begin(), values.end());
  round_to(rows.dtype, stored);
  encode(rows.dtype, stored, rows.data + row_offset(t, rows.row_stride, rows.dtype));
}

}  // namespace vparity::harness
