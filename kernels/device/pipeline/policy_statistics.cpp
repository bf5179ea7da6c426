#include "vparity/device_policy_statistics.h"

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include "call/agreement.h"
#include "call/call_checks.h"
#include "call/global_results.h"
#include "device/pipeline/forward_call.h"
#include "device/pipeline/logit_gather.h"
#include "device/pipeline/partial_exchange.h"
#include "device/pipeline/reproducible_rows.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using cuda::count;

cuda::SavedRows saved_rows(float* floats, std::int64_t rows) {
  return {floats, floats + rows, floats + 2 * rows, floats + 3 * rows};
}

cuda::SavedRows from_row(const cuda::SavedRows& saved, std::int64_t first) {
  return {saved.row_max + first, saved.sum_minus_one + first, saved.entropy + first,
          saved.valid_columns + first};
}

cuda::SavedRows resize(DeviceSavedStatistics& saved, std::int64_t rows, bool with_smoothing) {
  saved.rows = rows;
  const std::int64_t arrays = with_smoothing ? 4 : 3;
  return saved_rows(saved.floats.resize<float>(count(arrays * rows)), rows);
}

/// The results that the host waits for.
struct HostResults {
  cuda::RowTotals totals;
  unsigned long long first_bad_id;
};
constexpr unsigned long long no_bad_id = std::numeric_limits<unsigned long long>::max();

void exchange(const cuda::ForwardCall& call, RowRange rows, const cuda::RowOutputs& outputs) {
  switch (call.options.mode) {
    case Mode::fast:
      return exchange_partials(call, rows, outputs);
    case Mode::gather:
      return gather_logits(call, rows, outputs);
    case Mode::reproducible:
      return reproducible_rows(call, rows, outputs);
  }
}

}  // namespace

/// The device's kernels, and memory that is kept from call to call.
struct DevicePolicyStatistics::Workspace {
  explicit Workspace(Device& device)
      : kernels(cuda::kernels_of(device)),
        forward(device),
        results(device),
        host_results(device),
        saved(device),
        coefficients(device),
        target_gradients(device) {}

  cuda::Kernels& kernels;
  cuda::ForwardBuffers forward;
  DeviceBuffer results, host_results;
  DeviceSavedStatistics saved;
  DeviceBuffer coefficients, target_gradients;
};

/// One forward call.
class DevicePolicyStatistics::Forward {
 public:
  Forward(DevicePolicyStatistics& of, const VocabShard& logits, const TokenIds& ids,
          const StatisticsViews& out, DeviceSavedStatistics& saved)
      : of_(of),
        work_(*of.workspace_),
        call_{work_.kernels, of.tp_, of.split_, of.options_, logits, ids, work_.forward},
        out_(out),
        saved_(resize(saved, rows(), call_.with_smoothing())),
        host_results_(work_.host_results.resize<HostResults>(1)) {}

  DataParallelReport run() {
    start_results();
    call_.kernels.check_ids({call_.targets({0, rows()}), rows(), &host_results_->first_bad_id});
    const std::int64_t chunk = call_.options.chunk == 0 ? rows() : call_.options.chunk;
    for (std::int64_t first = 0; first < rows(); first += chunk) {
      run_chunk({first, std::min(chunk, rows() - first)});
    }
    return report();
  }

 private:
  std::int64_t rows() const { return call_.logits.rows().rows; }

  void start_results() {
    of_.device_.fill(reinterpret_cast<std::byte*>(&host_results_->totals), 0,
                     sizeof host_results_->totals);
    of_.device_.fill(reinterpret_cast<std::byte*>(&host_results_->first_bad_id), 0xFF,
                     sizeof host_results_->first_bad_id);  // no_bad_id
  }

  void run_chunk(RowRange range) {
    const cuda::RowOutputs outputs{rows_of(out_, range), from_row(saved_, range.first),
                                   work_.results.resize<cuda::RowResult>(count(range.count))};
    exchange(call_, range, outputs);
    call_.kernels.add_results({outputs.results, range.count, &host_results_->totals});
  }

  DataParallelReport report() {
    HostResults results{};
    of_.device_.copy_out(reinterpret_cast<std::byte*>(&results),
                         reinterpret_cast<const std::byte*>(host_results_), sizeof results);
    of_.tp_.wait();
    const cuda::RowTotals& totals = results.totals;
    DataParallelReport report{
        rows(), {}, {totals.loss, totals.entropy, totals.valid_tokens, totals.degenerate_rows}};
    if (results.first_bad_id != no_bad_id) report.bad_label = bad_label(results.first_bad_id);
    return report;
  }

  BadLabel bad_label(unsigned long long place) {
    const auto columns = static_cast<unsigned long long>(call_.ids.columns());
    const auto row = static_cast<std::int64_t>(place / columns);
    const auto column = static_cast<std::int32_t>(place % columns);
    return {row, column, read_id(row, column)};
  }

  std::int64_t read_id(std::int64_t row, int column) {
    return std::visit(
        [&](const auto& view) -> std::int64_t {
          std::remove_cvref_t<decltype(*view.data())> id = 0;
          of_.device_.copy_out(reinterpret_cast<std::byte*>(&id),
                               reinterpret_cast<const std::byte*>(&view(row, column)), sizeof id);
          of_.tp_.wait();
          return id;
        },
        call_.ids.view());
  }

  DevicePolicyStatistics& of_;
  Workspace& work_;
  cuda::ForwardCall call_;
  const StatisticsViews& out_;
  cuda::SavedRows saved_;
  HostResults* host_results_;
};

DevicePolicyStatistics::DevicePolicyStatistics(ProcessGroups groups, DeviceCommunicator& tp,
                                               Device& device, const ShardColumns& own,
                                               std::int64_t vocab, const Options& options)
    : groups_(groups),
      tp_(tp),
      device_(device),
      options_(options),
      split_(agree(groups, {options, own, vocab})),
      workspace_(std::make_unique<Workspace>(device)) {
  std::vector<std::int64_t> ends;
  for (int rank = 0; rank < split_.tp(); ++rank) ends.push_back(split_.shard(rank).end);
  ends.push_back(vocab);
  device_.copy_in(reinterpret_cast<std::byte*>(
                      workspace_->forward.shard_ends.resize<std::int64_t>(ends.size())),
                  reinterpret_cast<const std::byte*>(ends.data()),
                  ends.size() * sizeof(std::int64_t));
}

DevicePolicyStatistics::~DevicePolicyStatistics() = default;

const VocabularySplit& DevicePolicyStatistics::split() const { return split_; }

GlobalResults DevicePolicyStatistics::forward(const VocabShard& logits, const TokenIds& ids,
                                              const StatisticsViews& out,
                                              DeviceSavedStatistics* saved) {
  check_forward_views(logits, split_.shard(groups_.tp.rank()), ids, out);
  DeviceSavedStatistics& kept = saved != nullptr ? *saved : workspace_->saved;
  const DataParallelReport report = Forward(*this, logits, ids, out, kept).run();
  const GlobalResults results = reduce(groups_.dp, report, split_.vocab());
  kept.global_valid_tokens = results.valid_tokens;
  return results;
}

void DevicePolicyStatistics::backward(const VocabShard& logits, const TokenIds& ids,
                                      const DeviceSavedStatistics& saved,
                                      const UpstreamGradients& upstream,
                                      const MutableVocabShard& gradient) {
  const ShardColumns& own = split_.shard(groups_.tp.rank());
  check_backward_views(logits, own, ids, upstream, gradient);
  const std::int64_t rows = logits.rows().rows;
  if (saved.rows != rows)
    throw ArgumentError(
        "saved statistics must come from a forward call with the same number of rows");
  const Transform transform = transform_of(options_);
  auto* const coefficients = workspace_->coefficients.resize<cuda::RowCoefficients>(count(rows));
  auto* const target_gradients =
      workspace_->target_gradients.resize<cuda::TargetGradient>(count(rows * ids.columns()));
  const cuda::Targets targets{cuda::device_ids(ids), own, split_.vocab(), options_.ignore_index};
  cuda::Kernels& kernels = workspace_->kernels;
  kernels.find_coefficients({cuda::device_logits(logits), transform, targets,
                             saved_rows(saved.floats.as<float>(), rows), upstream, options_,
                             saved.global_valid_tokens, coefficients, target_gradients});
  const MutableRows& to = gradient.rows();
  kernels.write_gradient({cuda::device_logits(logits),
                          {to.data, to.dtype, to.row_stride, own.width},
                          transform,
                          coefficients,
                          target_gradients,
                          ids.columns()});
}

}  // namespace vparity
