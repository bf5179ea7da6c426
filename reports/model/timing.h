// How long one operation of one provider took, as data. Field meanings: docs/report-files.md.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace vparity::reports {

/// Seconds, bytes of one rank, 1e9 bytes a second.
struct Timing {
  std::string variant;  ///< what is compared: provider, with its mode where that has several
  /// One per iteration, in order: the time of the slowest rank after a barrier.
  std::vector<double> samples_s;
  std::int64_t warmup = 0;  ///< iterations before them
  double median_s = 0, p05_s = 0, p95_s = 0;
  double median_low_s = 0, median_high_s = 0;  ///< holds the true median in 95 of 100 runs
  double rank_skew_s = 0;           ///< median over the iterations of slowest minus fastest rank
  double tokens_per_s = 0;          ///< of all DP ranks; those that TP ranks share count once
  double read_gbps = 0;             ///< a rank reading the logits, between the iterations
  double copy_gbps = 0;             ///< a rank copying them past the cache, bytes read plus written
  std::int64_t bytes_per_rank = 0;  ///< that this provider has to move
  double gb_per_s = 0;              ///< of these
  double floor_s = 0;               ///< for the fewest bytes that the operation can do with
  double share_of_floor = 0;        ///< floor_s / median_s
  double own_floor_s = 0;           ///< for bytes_per_rank
  std::int64_t collectives = 0;     ///< of one iteration
  double bytes_per_token = 0;       ///< sent by one rank in one iteration
  std::int64_t extra_memory_bytes = 0;  ///< largest of all ranks, beside arguments and results
  /// By variant: how many times as long it took, in the median of the same iterations; and how many
  /// times as long its bytes take.
  std::map<std::string, double> speedup, predicted_speedup;
  bool oversubscribed = false;  ///< more ranks than cores
  bool cache_resident = false;  ///< the buffers may have stayed in the last-level cache
};

/// Members of a case in throughput.json; only `samples_s`, empty, where nothing was measured.
nlohmann::ordered_json to_json(const Timing& timing);
/// Throws nlohmann::json::exception where a member is missing or has the wrong type.
Timing timing_from_json(const nlohmann::json& json);

}  // namespace vparity::reports
