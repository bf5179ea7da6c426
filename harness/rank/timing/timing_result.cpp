#include "harness/rank/timing/timing_result.h"

#include <algorithm>
#include <cmath>

#include "harness/case/setting.h"
#include "harness/rank/timing/sample_statistics.h"
#include "reports/statistics/median.h"

namespace vparity::harness {
namespace {

constexpr double giga = 1e9;

double per_second(double bytes, const std::vector<Sample>& samples) {
  constexpr double least_bytes = 1;  // of ranks without rows
  return std::max(bytes, least_bytes) / reports::median(slowest_of(samples));
}

double skew_of(const std::vector<Sample>& samples) {
  std::vector<double> skews;
  for (const Sample& sample : samples) skews.push_back(sample.slowest - sample.fastest);
  return reports::median(skews);
}

/// How many times as long the other took, by iterations that stood side by side.
double ratio_of(const std::vector<Sample>& other, const std::vector<Sample>& own) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < own.size(); ++i) ratios.push_back(other[i].slowest / own[i].slowest);
  return reports::median(ratios);
}

/// The floor of the operation: of the two calls apart, or of what makes one of both, if that moves
/// less.
Traffic fewest(const TimedCase& timed, const RankShape& shape) {
  const Traffic apart = traffic_of(timed.job().parameters.op, fewest_traffic(shape));
  const Traffic own = timed.traffic(shape);
  return own.bytes() < apart.bytes() ? own : apart;
}

void fill_times(reports::Timing& timing, const std::vector<Sample>& samples) {
  timing.samples_s = slowest_of(samples);
  std::vector<double> sorted = timing.samples_s;
  std::ranges::sort(sorted);
  const Interval interval = median_interval(sorted);
  timing.median_s = reports::median(sorted);
  timing.median_interval_s = {interval.low, interval.high};
  constexpr double low = 0.05, high = 0.95;
  timing.p05_s = sorted_quantile(sorted, low);
  timing.p95_s = sorted_quantile(sorted, high);
  timing.rank_skew_s = skew_of(samples);
}

}  // namespace

MemoryRate memory_rate(const Slot& slot, const std::vector<Sample>& read,
                       const std::vector<Sample>& copy, Communicator& world, int cores) {
  struct Sizes {
    double logits, copied;
  };
  const auto all = all_gather_values(world, Sizes{slot.logits_bytes(), slot.copied_bytes()});
  const Sizes most = *std::ranges::max_element(all, {}, &Sizes::logits);
  // A rank's own clock does not see that it has waited for its core.
  const double share = std::min(1.0, static_cast<double>(cores) / world.size());
  return {share * per_second(most.logits, read), share * per_second(2 * most.copied, copy)};
}

reports::Timing timing_of(const MeasuredCase& own, const std::vector<MeasuredCase>& all,
                          const TimingContext& context) {
  const auto own_floor = [&](const TimedCase& timed) {
    return floor_seconds(timed.traffic(context.shape), context.rate);
  };
  const TimedCase& timed = *own.timed;
  const auto tokens = static_cast<double>(context.tokens);
  reports::Timing timing;
  timing.variant = variant_of(timed.job().parameters);
  fill_times(timing, *own.samples);
  timing.warmup = context.warmup;
  timing.tokens_per_s = tokens / timing.median_s;
  timing.read_gbps = context.rate.read / giga;
  timing.copy_gbps = context.rate.copy / giga;
  timing.bytes_per_rank = std::llround(timed.traffic(context.shape).bytes());
  timing.gb_per_s = static_cast<double>(timing.bytes_per_rank) / giga / timing.median_s;
  timing.floor_s = floor_seconds(fewest(timed, context.shape), context.rate);
  timing.share_of_floor = timing.floor_s / timing.median_s;
  timing.own_floor_s = own_floor(timed);
  timing.collectives = timed.collectives();
  const double rows = static_cast<double>(std::max<std::int64_t>(context.shape.rows, 1));
  timing.bytes_per_token = static_cast<double>(timed.bytes_sent()) / rows;
  timing.extra_memory_bytes = timed.extra_memory();
  timing.oversubscribed = context.oversubscribed;
  timing.cache_resident = context.cache_resident;
  for (const MeasuredCase& other : all) {
    const CaseParameters& parameters = other.timed->job().parameters;
    if (other.timed == own.timed || parameters.op != timed.job().parameters.op) continue;
    const auto name = variant_of(parameters);
    timing.speedup[name] = ratio_of(*other.samples, *own.samples);
    if (timing.own_floor_s > 0)
      timing.predicted_speedup[name] = own_floor(*other.timed) / timing.own_floor_s;
  }
  return timing;
}

}  // namespace vparity::harness
