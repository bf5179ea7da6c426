#include "host/pipeline/row_outputs.h"

#include "row/statistics.h"

namespace vparity {
namespace {

/// The results of one row.
class RowWriter {
 public:
  RowWriter(const ForwardCall& call, std::int64_t row, const FullRowSums& sums,
            std::span<const float> targets)
      : call_(call),
        row_(row),
        sums_(sums),
        targets_(targets),
        statistics_(sums, call.options),
        valid_(!call.ignored(call.ids(row, 0))),
        entropy_(rounded_output(statistics_.entropy())),
        loss_(valid_ ? rounded_output(statistics_.loss(targets.front())) : 0) {}

  void write(const StatisticsViews& out) const {
    if (out.logprob.present()) write_logprob(out.logprob);
    if (out.entropy.present()) out.entropy(row_) = entropy_;
    if (out.lse.present()) out.lse(row_) = rounded_output(statistics_.lse());
    if (out.loss.present()) out.loss(row_) = loss_;
  }

  void save(SavedStatistics& saved) const {
    const auto row = static_cast<std::size_t>(row_);
    saved.row_max[row] = sums_.max;
    saved.sum_minus_one[row] = saved_sum_minus_one(sums_);
    saved.entropy[row] = entropy_;
    if (call_.with_smoothing()) saved.valid_columns[row] = static_cast<float>(sums_.n);
  }

  void add_to(LocalSums& sums) const {
    if (!valid_) return;
    sums.loss += loss_;
    sums.entropy += entropy_;
    ++sums.valid_tokens;
    if (statistics_.degenerate()) ++sums.degenerate_rows;
  }

 private:
  void write_logprob(const Replicated<float>& logprob) const {
    for (int k = 0; k < call_.ids.columns(); ++k) {
      const float target = targets_[static_cast<std::size_t>(k)];
      const bool ignored = call_.ignored(call_.ids(row_, k));
      logprob(row_, k) = ignored ? 0 : rounded_output(statistics_.logprob(target));
    }
  }

  const ForwardCall& call_;
  std::int64_t row_;
  const FullRowSums& sums_;
  std::span<const float> targets_;
  RowStatistics statistics_;
  bool valid_;
  float entropy_;
  float loss_;
};

}  // namespace

void resize(SavedStatistics& saved, std::int64_t rows, bool with_smoothing) {
  const auto count = static_cast<std::size_t>(rows);
  saved.row_max.resize(count);
  saved.sum_minus_one.resize(count);
  saved.entropy.resize(count);
  saved.valid_columns.resize(with_smoothing ? count : 0);
}

void write_rows(const ForwardCall& call, RowRange rows, const FullRows& full,
                const StatisticsViews& out, SavedStatistics* saved, LocalSums& sums) {
  const auto columns = static_cast<std::size_t>(call.ids.columns());
  for (std::size_t i = 0; i < full.sums.size(); ++i) {
    const std::span targets(full.targets.data() + i * columns, columns);
    const RowWriter row(call, rows.first + static_cast<std::int64_t>(i), full.sums[i], targets);
    row.write(out);
    if (saved != nullptr) row.save(*saved);
    row.add_to(sums);
  }
}

}  // namespace vparity
