#include "harness/rank/check/whole_run.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "harness/case/storage.h"
#include "harness/rank/element_comparison/reference_terms.h"
#include "harness/rank/relations/operands_view.h"

namespace vparity::harness {
namespace {

using reference::Bounded;
using reference::Format;

void append_statistics(std::vector<float>& row, const RankOutputs& outputs, std::int64_t t) {
  const Replicated<const float> logprob = replicated(outputs.logprob);
  for (std::int64_t k = 0; k < logprob.columns(); ++k) row.push_back(logprob(t, k));
  row.push_back(replicated(outputs.entropy)(t));
  row.push_back(replicated(outputs.lse)(t));
  row.push_back(replicated(outputs.loss)(t));
}

void append_gradient(std::vector<float>& row, const KernelRun& run, std::int64_t t) {
  const auto first = row.size();
  row.resize(first + static_cast<std::size_t>(run.inputs().columns().valid()));
  const Rows rows = run.outputs().gradient->rows();
  decode(rows.dtype, rows.row(t), std::span(row).subspan(first));
}

double allowance(const Bounded& expected, Format format, bool rounding) {
  if (!std::isfinite(expected.value)) return 0;
  const double half_ulp = reference::half_ulp(format, expected.value);
  if (std::isinf(half_ulp)) return half_ulp;
  return expected.bound + (rounding ? half_ulp : 0);
}

/// Its own part of all its rows, one after the other.
std::vector<float> own_part(const KernelRun& run) {
  std::vector<float> part;
  for (std::int64_t t = 0; t < run.inputs().rows(); ++t) {
    if (run.grid().tp().rank() == 0) append_statistics(part, run.outputs(), t);
    append_gradient(part, run, t);
  }
  return part;
}

/// How many elements of a row a TP rank has; the first has the statistics too.
std::size_t share_of_row(const KernelRun& run, int tp_rank) {
  const auto columns = static_cast<std::size_t>(run.split().shard(tp_rank).valid());
  return columns + (tp_rank == 0 ? RowOrder(run.task().problem.id_columns).gradient() : 0);
}

std::vector<std::vector<float>> gather_rows(const KernelRun& run) {
  const auto& dp_rows = run.task().operands.dp_rows();
  const int tp = run.grid().tp().size();
  std::vector<std::size_t> sizes;
  for (const std::int64_t rows : dp_rows) {
    for (int rank = 0; rank < tp; ++rank)
      sizes.push_back(static_cast<std::size_t>(rows) * share_of_row(run, rank) * sizeof(float));
  }
  const std::vector<float> own = own_part(run);
  std::vector<float> all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) /
                         sizeof(float));
  run.grid().world().all_gather(std::as_bytes(std::span(own)),
                                std::as_writable_bytes(std::span(all)), sizes);

  // World ranks follow each other as their columns do.
  std::vector<std::vector<float>> rows(static_cast<std::size_t>(run.task().operands.all_rows()));
  auto next = all.cbegin();
  for (int dp_rank = 0; dp_rank < std::ssize(dp_rows); ++dp_rank) {
    const auto first = static_cast<std::size_t>(run.task().operands.first_row(dp_rank));
    const auto end = static_cast<std::size_t>(run.task().operands.first_row(dp_rank + 1));
    for (int rank = 0; rank < tp; ++rank) {
      const auto share = static_cast<std::ptrdiff_t>(share_of_row(run, rank));
      for (std::size_t row = first; row < end; ++row, next += share)
        rows[row].insert(rows[row].end(), next, next + share);
    }
  }
  return rows;
}

std::vector<double> row_bounds(const KernelTask& task, std::int64_t row) {
  const reference::Parameters parameters = reference_parameters(task.problem.options);
  const std::vector<float> logits = whole_row(task.operands, row, task.problem.vocab);
  const reference::RowStatistics statistics =
      reference::row_statistics(logits, ids_of(task.operands, task.problem, row), parameters);
  std::vector<double> bounds;
  const auto add = [&](const Bounded& expected) {
    bounds.push_back(allowance(expected, Format::fp32, false));
  };
  for (const Bounded& logprob : statistics.logprob) add(logprob);
  add(statistics.entropy);
  add(statistics.lse);
  add(statistics.loss);

  std::vector<Bounded> gradient(logits.size());
  const reference::Upstream upstream =
      upstream_of(task.operands, task.problem, row,
                  task.operands.valid_tokens(task.problem.options.ignore_index));
  reference::gradient(reference::row_gradient(statistics, upstream, parameters), 0, logits,
                      gradient);
  for (const Bounded& element : gradient)
    bounds.push_back(allowance(element, format_of(task.problem.gradient_dtype), true));
  return bounds;
}

}  // namespace

WholeRun::WholeRun(const KernelRun& run)
    : run_(run), values_(gather_rows(run)), bounds_(values_.size()) {}

const std::vector<double>& WholeRun::bounds(std::int64_t row) {
  std::vector<double>& bounds = bounds_[static_cast<std::size_t>(row)];
  if (bounds.empty()) bounds = row_bounds(run_.task(), row);
  return bounds;
}

}  // namespace vparity::harness
