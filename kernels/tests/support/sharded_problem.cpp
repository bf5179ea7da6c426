#include "tests/support/sharded_problem.h"

#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include "reference/storage_format.h"
#include "tests/support/test_device.h"
#include "vparity/device_policy_statistics.h"
#include "vparity/host_staged_communicator.h"
#include "vparity/staged_memory.h"

namespace vparity::testing {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::int64_t stride_gap = 3;  // columns between rows

reference::Format format_of(DType dtype) {
  return dtype == DType::bf16 ? reference::Format::bf16 : reference::Format::fp16;
}

std::vector<float> nans(std::int64_t count) {
  return std::vector<float>(static_cast<std::size_t>(count), nan);
}

template <class T>
std::vector<T> slice(const std::vector<T>& all, std::int64_t first, std::int64_t count) {
  if (all.empty()) return {};
  return {all.begin() + first, all.begin() + first + count};
}

/// The rows of all ranks of a group, one after the other.
std::vector<float> concatenate(Communicator& group, const std::vector<float>& own) {
  std::vector<std::size_t> bytes = all_gather_values(group, own.size() * sizeof(float));
  const std::size_t total = std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
  std::vector<float> all(total / sizeof(float));
  group.all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)), bytes);
  return all;
}

/// One rank's part of a problem and what it computes.
class LocalProblem {
 public:
  LocalProblem(ProcessGroups groups, const Problem& problem)
      : groups_(groups),
        problem_(problem),
        split_(VocabularySplit::of_layout(problem.layout, problem.vocab, groups.tp.size())),
        own_(split_.shard(groups.tp.rank())),
        rows_(problem.dp_rows.empty() ? problem.rows() : problem.dp_rows.at(dp_rank())),
        first_(std::accumulate(problem.dp_rows.begin(), problem.dp_rows.begin() + groups.dp.rank(),
                               std::int64_t{0})),
        stride_(own_.width + stride_gap),
        ids_(slice(problem.ids, first_ * problem.id_columns, rows_ * problem.id_columns)),
        logits_(encode(shard_values(), problem.dtype)),
        grad_logprob_(
            slice(problem.grad_logprob, first_ * problem.id_columns, rows_ * problem.id_columns)),
        grad_entropy_(slice(problem.grad_entropy, first_, rows_)),
        grad_loss_(slice(problem.grad_loss, first_, rows_)),
        logprob_(nans(rows_ * problem.id_columns)),
        entropy_(nans(rows_)),
        lse_(nans(rows_)),
        loss_(nans(rows_)),
        gradient_(encode(nans(rows_ * stride_), problem.gradient_dtype)) {}

  Outcome solve() { return problem_.on_device ? solve_on_device() : solve_on_host(); }

 private:
  Outcome solve_on_host() {
    PolicyStatistics kernels(groups_, own_, problem_.vocab, problem_.options);
    Outcome outcome;
    if (problem_.fused) {
      forward_backward(kernels, outcome);
    } else {
      SavedStatistics saved;
      forward(kernels, saved, outcome);
      backward(kernels, saved, outcome);
    }
    collect(outcome);
    return outcome;
  }

  Outcome solve_on_device() {
    const auto device = make_test_device();
    const auto tp = make_host_staged_communicator(groups_.tp, *device);
    DevicePolicyStatistics kernels(groups_, *tp, *device, own_, problem_.vocab, problem_.options);
    DeviceSavedStatistics saved(*device);
    StagedMemory logits_memory(*device), ids_memory(*device);
    const VocabShard logits_there{logits_memory.copy_in(logits().rows(), own_.width), own_};
    const TokenIds ids_there = ids_memory.copy_in(ids());
    Outcome outcome;
    forward_there(kernels, *device, logits_there, ids_there, saved, outcome);
    backward_there(kernels, *device, logits_there, ids_there, saved);
    collect(outcome);
    return outcome;
  }

  void forward_there(DevicePolicyStatistics& kernels, Device& device, const VocabShard& logits,
                     const TokenIds& ids, DeviceSavedStatistics& saved, Outcome& outcome) {
    StagedStatistics out(device);
    const StatisticsViews there = out.copy_in(statistics());
    outcome.global = kernels.forward(logits, ids, there, &saved);
    out.copy_out(statistics());
    device.wait();
  }

  void backward_there(DevicePolicyStatistics& kernels, Device& device, const VocabShard& logits,
                      const TokenIds& ids, const DeviceSavedStatistics& saved) {
    StagedUpstream staged_upstream(device);
    const UpstreamGradients there = staged_upstream.copy_in(upstream());
    StagedMemory memory(device);
    const MutableRows rows = gradient().rows();
    kernels.backward(logits, ids, saved, there, {memory.copy_in(rows, own_.width), own_});
    memory.copy_out(rows, own_.width);
    device.wait();
  }

  std::size_t dp_rank() const { return static_cast<std::size_t>(groups_.dp.rank()); }

  std::vector<float> shard_values() const {
    std::vector<float> values = nans(rows_ * stride_);
    for (std::int64_t row = 0; row < rows_; ++row) {
      const auto full = problem_.logits.begin() + (first_ + row) * problem_.vocab;
      std::copy(full + own_.begin, full + own_.end, values.begin() + row * stride_);
    }
    return values;
  }

  VocabShard logits() const { return {{logits_.data(), problem_.dtype, rows_, stride_}, own_}; }
  TokenIds ids() const {
    return Replicated<const std::int64_t>(ids_.data(), rows_, problem_.id_columns);
  }

  StatisticsViews statistics() {
    const int columns = problem_.id_columns;
    return {{logprob_.data(), rows_, columns},
            {entropy_.data(), rows_},
            {lse_.data(), rows_},
            {loss_.data(), rows_}};
  }

  MutableVocabShard gradient() {
    return {{gradient_.data(), problem_.gradient_dtype, rows_, stride_}, own_};
  }

  UpstreamGradients upstream() const {
    return {view(grad_logprob_, problem_.id_columns), view(grad_entropy_, 1), view(grad_loss_, 1)};
  }

  void forward(PolicyStatistics& kernels, SavedStatistics& saved, Outcome& outcome) {
    const CommunicationCounters before = groups_.tp.counters();
    const CommunicationCounters dp_before = groups_.dp.counters();
    outcome.global = kernels.forward(logits(), ids(), statistics(), &saved);
    outcome.tp_forward = difference(groups_.tp.counters(), before);
    outcome.dp_forward = difference(groups_.dp.counters(), dp_before);
  }

  void backward(const PolicyStatistics& kernels, const SavedStatistics& saved, Outcome& outcome) {
    const CommunicationCounters before = groups_.tp.counters();
    kernels.backward(logits(), ids(), saved, upstream(), gradient());
    outcome.tp_backward = difference(groups_.tp.counters(), before);
  }

  void forward_backward(PolicyStatistics& kernels, Outcome& outcome) {
    const CommunicationCounters before = groups_.tp.counters();
    const CommunicationCounters dp_before = groups_.dp.counters();
    outcome.global =
        kernels.forward_backward(logits(), ids(), upstream(), statistics(), gradient());
    outcome.tp_forward = difference(groups_.tp.counters(), before);
    outcome.dp_forward = difference(groups_.dp.counters(), dp_before);
  }

  void collect(Outcome& outcome) const {
    outcome.logprob = concatenate(groups_.dp, logprob_);
    outcome.entropy = concatenate(groups_.dp, entropy_);
    outcome.lse = concatenate(groups_.dp, lse_);
    outcome.loss = concatenate(groups_.dp, loss_);
    outcome.gradient =
        concatenate(groups_.dp, full_rows(decode(gradient_, problem_.gradient_dtype)));
  }

  Replicated<const float> view(const std::vector<float>& values, int columns) const {
    if (values.empty() && rows_ > 0) return {};
    return {values.data(), rows_, columns};
  }

  /// [rows, V] from the strided shards of the TP group.
  std::vector<float> full_rows(const std::vector<float>& shard) const {
    std::vector<float> packed;
    for (std::int64_t row = 0; row < rows_; ++row) {
      const auto begin = shard.begin() + row * stride_;
      packed.insert(packed.end(), begin, begin + own_.valid());
    }
    const std::vector<float> shards = concatenate(groups_.tp, packed);
    std::vector<float> full = nans(rows_ * problem_.vocab);
    auto from = shards.begin();
    for (int rank = 0; rank < split_.tp(); ++rank) {
      const ShardColumns& columns = split_.shard(rank);
      for (std::int64_t row = 0; row < rows_; ++row) {
        std::copy(from, from + columns.valid(),
                  full.begin() + row * problem_.vocab + columns.begin);
        from += columns.valid();
      }
    }
    return full;
  }

  static CommunicationCounters difference(const CommunicationCounters& after,
                                          const CommunicationCounters& before) {
    return {after.collectives - before.collectives, after.bytes_sent - before.bytes_sent,
            after.bytes_received - before.bytes_received};
  }

  ProcessGroups groups_;
  const Problem& problem_;
  VocabularySplit split_;
  ShardColumns own_;
  std::int64_t rows_;
  std::int64_t first_;
  std::int64_t stride_;
  std::vector<std::int64_t> ids_;
  std::vector<std::byte> logits_;
  std::vector<float> grad_logprob_, grad_entropy_, grad_loss_;
  std::vector<float> logprob_, entropy_, lse_, loss_;
  std::vector<std::byte> gradient_;
};

}  // namespace

Grid::Grid(Communicator& world, int tp)
    : tp_(world.split(world.rank() / tp, world.rank())),
      dp_(world.split(world.rank() % tp, world.rank())) {}

std::vector<std::byte> encode(std::span<const float> values, DType dtype) {
  std::vector<std::byte> stored(values.size() * size_of(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::byte* at = stored.data() + i * size_of(dtype);
    if (dtype == DType::fp32) {
      std::memcpy(at, &values[i], sizeof(float));
    } else {
      const std::uint16_t bits = reference::encode16(format_of(dtype), values[i]);
      std::memcpy(at, &bits, sizeof bits);
    }
  }
  return stored;
}

std::vector<float> decode(std::span<const std::byte> stored, DType dtype) {
  std::vector<float> values(stored.size() / size_of(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::byte* at = stored.data() + i * size_of(dtype);
    if (dtype == DType::fp32) {
      std::memcpy(&values[i], at, sizeof(float));
    } else {
      std::uint16_t bits = 0;
      std::memcpy(&bits, at, sizeof bits);
      values[i] = static_cast<float>(reference::decode16(format_of(dtype), bits));
    }
  }
  return values;
}

Outcome solve(ProcessGroups groups, const Problem& problem) {
  return LocalProblem(groups, problem).solve();
}

}  // namespace vparity::testing
