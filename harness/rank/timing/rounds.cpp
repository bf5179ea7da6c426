#include "harness/rank/timing/rounds.h"

#include <algorithm>

#include "harness/rank/timing/sample_statistics.h"
#include "reports/statistics/median.h"

namespace vparity::harness {
namespace {

using Clock = std::chrono::steady_clock;

/// By rank, then by place; exchanged once, so that nothing but the subjects is between two
/// barriers.
std::vector<double> gather(Communicator& world, const std::vector<double>& own) {
  std::vector<double> all(own.size() * static_cast<std::size_t>(world.size()));
  world.all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
  return all;
}

Sample sample_at(const std::vector<double>& seconds, std::size_t place, std::size_t places) {
  Sample sample{seconds[place], seconds[place]};
  for (std::size_t i = place; i < seconds.size(); i += places) {
    sample.slowest = std::max(sample.slowest, seconds[i]);
    sample.fastest = std::min(sample.fastest, seconds[i]);
  }
  return sample;
}

}  // namespace

std::vector<std::vector<Sample>> Rounds::run(std::int64_t count) {
  const std::size_t subjects = subjects_.size();
  std::vector<double> own(static_cast<std::size_t>(count) * subjects);
  for (std::int64_t round = 0; round < count; ++round) {
    for (std::size_t turn = 0; turn < subjects; ++turn) {
      const std::size_t subject = (static_cast<std::size_t>(round) + turn) % subjects;
      own[static_cast<std::size_t>(round) * subjects + subject] = time(subjects_[subject], round);
    }
  }
  const std::vector<double> all = gather(world_, own);
  std::vector<std::vector<Sample>> samples(subjects);
  for (std::size_t place = 0; place < own.size(); ++place)
    samples[place % subjects].push_back(sample_at(all, place, own.size()));
  return samples;
}

double Rounds::time(const Subject& subject, std::int64_t iteration) {
  const std::size_t slot = next_slot_++ % slots_;
  world_.barrier();
  const auto start = Clock::now();
  subject.run(slot);
  const std::chrono::duration<double> seconds = Clock::now() - start;
  subject.after(iteration, slot);
  return seconds.count();
}

std::vector<double> slowest_of(const std::vector<Sample>& samples) {
  std::vector<double> seconds;
  for (const Sample& sample : samples) seconds.push_back(sample.slowest);
  return seconds;
}

std::int64_t rounds_wanted(const std::vector<std::vector<Sample>>& pilot, const SamplePlan& plan) {
  double round_s = 0;
  std::int64_t needed = plan.fewest;
  for (const auto& samples : pilot) {
    const auto seconds = slowest_of(samples);
    round_s += reports::median(seconds);
    needed = std::max(needed, static_cast<std::int64_t>(samples_needed(seconds, plan.half_width)));
  }
  constexpr double least = 2;
  const double affordable = std::max(plan.time.count() / std::max(round_s, 1e-9), least);
  return std::min(
      {needed, plan.most, static_cast<std::int64_t>(std::min(affordable, double(plan.most)))});
}

}  // namespace vparity::harness
