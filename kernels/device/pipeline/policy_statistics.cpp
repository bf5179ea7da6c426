#include "vparity/device_policy_statistics.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "call/agreement.h"
#include "call/call_checks.h"
#include "call/global_results.h"
#include "call/row_range.h"
#include "device/kernels/kernels.h"
#include "row/sums.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

cuda::DeviceIds device_ids(const TokenIds& ids) {
  return std::visit(
      [](const auto& view) -> cuda::DeviceIds {
        constexpr bool wide = sizeof(*view.data()) == sizeof(std::int64_t);
        return {view.data(), wide, static_cast<int>(view.columns()), view.row_stride(),
                view.column_stride()};
      },
      ids.view());
}

cuda::Logits device_logits(const VocabShard& shard) {
  const Rows& rows = shard.rows();
  return {rows.data, rows.dtype, rows.rows, rows.row_stride, shard.columns().valid()};
}

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
  return saved_rows(saved.floats.resize<float>(static_cast<std::size_t>(arrays * rows)), rows);
}

/// The results that the host waits for.
struct HostResults {
  cuda::RowTotals totals;
  unsigned long long first_bad_id;
};
constexpr unsigned long long no_bad_id = std::numeric_limits<unsigned long long>::max();

std::size_t count(std::int64_t elements) { return static_cast<std::size_t>(elements); }

}  // namespace

/// The device's kernels, and memory that is kept from call to call.
struct DevicePolicyStatistics::Workspace {
  explicit Workspace(Device& device)
      : kernels(cuda::kernels_of(device)),
        shard_ends(device),
        host_results(device),
        saved(device),
        blocks(device),
        own(device),
        gathered(device),
        results(device),
        maxima(device),
        targets(device),
        packed_logits(device),
        gathered_logits(device),
        full_logits(device),
        coefficients(device),
        target_gradients(device) {}

  cuda::Kernels& kernels;
  DeviceBuffer shard_ends, host_results;
  DeviceSavedStatistics saved;
  DeviceBuffer blocks, own, gathered, results, maxima, targets;
  DeviceBuffer packed_logits, gathered_logits, full_logits;
  DeviceBuffer coefficients, target_gradients;
};

/// One forward call.
class DevicePolicyStatistics::Forward {
 public:
  Forward(DevicePolicyStatistics& of, const VocabShard& logits, const TokenIds& ids,
          const StatisticsViews& out, DeviceSavedStatistics& saved)
      : of_(of),
        work_(*of.workspace_),
        kernels_(work_.kernels),
        logits_(logits),
        ids_(ids),
        out_(out),
        saved_(resize(saved, logits.rows().rows, with_smoothing())),
        host_results_(work_.host_results.resize<HostResults>(1)) {}

  DataParallelReport run() {
    const std::int64_t rows = logits_.rows().rows;
    start_results();
    kernels_.check_ids({targets({0, rows}), rows, &host_results_->first_bad_id});
    const std::int64_t chunk = of_.options_.chunk == 0 ? rows : of_.options_.chunk;
    for (std::int64_t first = 0; first < rows; first += chunk) {
      run_chunk({first, std::min(chunk, rows - first)});
    }
    return report();
  }

 private:
  bool with_smoothing() const { return of_.options_.label_smoothing > 0; }
  int ranks() const { return of_.tp_.size(); }
  Transform transform() const { return transform_of(of_.options_); }

  cuda::Targets targets(RowRange rows) const {
    return {device_ids(rows_of(ids_, rows)), logits_.columns(), of_.split_.vocab(),
            of_.options_.ignore_index};
  }

  void start_results() {
    of_.device_.fill(reinterpret_cast<std::byte*>(&host_results_->totals), 0,
                     sizeof host_results_->totals);
    of_.device_.fill(reinterpret_cast<std::byte*>(&host_results_->first_bad_id), 0xFF,
                     sizeof host_results_->first_bad_id);  // no_bad_id
  }

  void run_chunk(RowRange rows) {
    const cuda::RowOutputs outputs{rows_of(out_, rows), from_row(saved_, rows.first),
                                   work_.results.resize<cuda::RowResult>(count(rows.count))};
    switch (of_.options_.mode) {
      case Mode::fast:
        exchange_sums(rows, device_logits(rows_of(logits_, rows)), targets(rows), ranks(), outputs);
        break;
      case Mode::gather:
        gather_logits(rows, outputs);
        break;
      case Mode::reproducible:
        exchange_maxima(rows);
        exchange_grid_sums(rows, outputs);
        break;
    }
    kernels_.add_results({outputs.results, rows.count, &host_results_->totals});
  }

  /// Sums all blocks, exchanges one record per row and merges the records.
  void exchange_sums(RowRange rows, const cuda::Logits& logits, const cuda::Targets& targets,
                     int exchanged_with, const cuda::RowOutputs& outputs) {
    const std::int64_t blocks = cuda::blocks_of(logits.columns);
    auto* const sums = work_.blocks.resize<Partial<RowSums>>(count(rows.count * blocks));
    kernels_.sum_blocks({logits, transform(), with_smoothing(), sums});
    SumRecords<std::byte> own{nullptr, rows.count, ids_.columns(), with_smoothing()};
    own.base = work_.own.resize<std::byte>(own.bytes());
    kernels_.write_records({logits, transform(), sums, targets, own});
    const std::byte* const all = exchanged_with == 1 ? own.base : all_gather(own.base, own.bytes());
    kernels_.write_outputs({{all, rows.count, ids_.columns(), with_smoothing()},
                            exchanged_with,
                            shard_ends(exchanged_with),
                            targets,
                            of_.options_,
                            rows.count,
                            outputs});
  }

  /// The last element of `ends` is the shard end for a single shard of V columns.
  const std::int64_t* shard_ends(int exchanged_with) const {
    const auto* const ends = work_.shard_ends.as<const std::int64_t>();
    return exchanged_with == ranks() ? ends : ends + ranks();
  }

  const std::byte* all_gather(const std::byte* own, std::size_t bytes) {
    const std::vector<std::size_t> sizes(static_cast<std::size_t>(ranks()), bytes);
    std::byte* const all = work_.gathered.resize<std::byte>(bytes * sizes.size());
    of_.tp_.all_gather(own, all, sizes);
    return all;
  }

  /// Each row is summed as the only shard of V columns, at one alignment, so that its bits depend
  /// on its values alone.
  void gather_logits(RowRange rows, const cuda::RowOutputs& outputs) {
    const std::int64_t vocab = of_.split_.vocab();
    cuda::Targets whole = targets(rows);
    whole.own = {0, vocab, vocab};
    exchange_sums(rows, full_rows(rows), whole, 1, outputs);
  }

  cuda::Logits full_rows(RowRange rows) {
    constexpr std::int64_t elements_per_line = 64;
    const std::int64_t vocab = of_.split_.vocab();
    const std::int64_t stride =
        (vocab + elements_per_line - 1) / elements_per_line * elements_per_line;
    const DType dtype = logits_.rows().dtype;
    const auto element_bytes = static_cast<std::int64_t>(size_of(dtype));
    auto* const full =
        work_.full_logits.resize<std::byte>(count(rows.count * stride * element_bytes));
    const std::byte* from = gathered_shards(rows);
    for (int rank = 0; rank < ranks(); ++rank) {
      const ShardColumns& shard = of_.split_.shard(rank);
      kernels_.copy_rows({from, shard.valid(), full + shard.begin * element_bytes, stride, dtype,
                          rows.count, shard.valid()});
      from += rows.count * shard.valid() * element_bytes;
    }
    return {full, dtype, rows.count, stride, vocab};
  }

  /// The rows of all ranks without padding, one rank after another.
  const std::byte* gathered_shards(RowRange rows) {
    std::vector<std::size_t> sizes;
    for (int rank = 0; rank < ranks(); ++rank) {
      sizes.push_back(count(rows.count * of_.split_.shard(rank).valid()) *
                      size_of(logits_.rows().dtype));
    }
    const std::byte* const own = own_rows(rows_of(logits_, rows));
    if (ranks() == 1) return own;
    auto* const all = work_.gathered_logits.resize<std::byte>(
        std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    of_.tp_.all_gather(own, all, sizes);
    return all;
  }

  /// The caller's memory if the rows are contiguous there, else a copy.
  const std::byte* own_rows(const VocabShard& logits) {
    const Rows& rows = logits.rows();
    const std::int64_t valid = logits.columns().valid();
    if (rows.rows == 1 || rows.row_stride == valid) return rows.data;
    auto* const packed =
        work_.packed_logits.resize<std::byte>(count(rows.rows * valid) * size_of(rows.dtype));
    kernels_.copy_rows({rows.data, rows.row_stride, packed, valid, rows.dtype, rows.rows, valid});
    return packed;
  }

  void exchange_maxima(RowRange rows) {
    const cuda::Logits logits = device_logits(rows_of(logits_, rows));
    const std::int64_t blocks = cuda::blocks_of(logits.columns);
    auto* const keys = work_.blocks.resize<reproducible::OrderKey>(count(rows.count * blocks));
    kernels_.find_maxima({logits, keys});
    MaximumRecords<std::byte> own{nullptr, rows.count, ids_.columns()};
    own.base = work_.own.resize<std::byte>(own.bytes());
    kernels_.write_maxima({logits, transform(), keys, targets(rows), own});
    const std::byte* const all = all_gather(own.base, own.bytes());
    kernels_.read_maxima({{all, rows.count, ids_.columns()},
                          ranks(),
                          shard_ends(ranks()),
                          targets(rows),
                          transform(),
                          rows.count,
                          work_.maxima.resize<float>(count(rows.count)),
                          work_.targets.resize<float>(count(rows.count * ids_.columns()))});
  }

  void exchange_grid_sums(RowRange rows, const cuda::RowOutputs& outputs) {
    using reproducible::GridSums;
    const cuda::Logits logits = device_logits(rows_of(logits_, rows));
    const std::int64_t blocks = cuda::blocks_of(logits.columns);
    auto* const parts = work_.blocks.resize<GridSums>(count(rows.count * blocks));
    const auto* const maxima = work_.maxima.as<const float>();
    kernels_.sum_on_grid({logits, transform(), maxima, parts});
    auto* const own = work_.own.resize<GridSums>(count(rows.count));
    kernels_.add_grid_blocks({parts, rows.count, blocks, own});
    const std::byte* const all =
        all_gather(reinterpret_cast<const std::byte*>(own), count(rows.count) * sizeof(GridSums));
    kernels_.write_grid_outputs({reinterpret_cast<const GridSums*>(all), ranks(), maxima,
                                 work_.targets.as<const float>(), targets(rows), of_.options_,
                                 rows.count, outputs});
  }

  DataParallelReport report() {
    HostResults results{};
    of_.device_.copy_out(reinterpret_cast<std::byte*>(&results),
                         reinterpret_cast<const std::byte*>(host_results_), sizeof results);
    of_.tp_.wait();
    const cuda::RowTotals& totals = results.totals;
    DataParallelReport report{
        logits_.rows().rows,
        {},
        {totals.loss, totals.entropy, totals.valid_tokens, totals.degenerate_rows}};
    if (results.first_bad_id != no_bad_id) report.bad_label = bad_label(results.first_bad_id);
    return report;
  }

  BadLabel bad_label(unsigned long long place) {
    const auto columns = static_cast<unsigned long long>(ids_.columns());
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
        ids_.view());
  }

  DevicePolicyStatistics& of_;
  Workspace& work_;
  cuda::Kernels& kernels_;
  const VocabShard& logits_;
  const TokenIds& ids_;
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
  device_.copy_in(
      reinterpret_cast<std::byte*>(workspace_->shard_ends.resize<std::int64_t>(ends.size())),
      reinterpret_cast<const std::byte*>(ends.data()), ends.size() * sizeof(std::int64_t));
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
  const cuda::Targets targets{device_ids(ids), own, split_.vocab(), options_.ignore_index};
  cuda::Kernels& kernels = workspace_->kernels;
  kernels.find_coefficients({device_logits(logits), transform, targets,
                             saved_rows(saved.floats.as<float>(), rows), upstream, options_,
                             saved.global_valid_tokens, coefficients, target_gradients});
  const MutableRows& to = gradient.rows();
  kernels.write_gradient({device_logits(logits),
                          {to.data, to.dtype, to.row_stride, own.width},
                          transform,
                          coefficients,
                          target_gradients,
                          ids.columns()});
}

}  // namespace vparity
