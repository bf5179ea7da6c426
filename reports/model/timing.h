// How long one operation of one provider took, as data. Field meanings: docs/report-files.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace vparity::reports {

/// In seconds, bytes of one rank, and 1e9 bytes a second. The members stand in the same order in
/// throughput.json and have the same names there; the table in timing.cpp lists them.
struct Timing {
  std::string variant;  ///< provider, with its mode where it has several
  /// One per iteration, in order: the time of the slowest rank after a barrier.
  std::vector<double> samples_s;
  std::int64_t warmup = 0;  ///< iterations before the samples
  double median_s = 0;
  std::array<double, 2> median_interval_s{};  ///< holds the true median in 95 of 100 runs
  double p05_s = 0, p95_s = 0;
  double rank_skew_s = 0;           ///< median over the iterations of slowest minus fastest rank
  double tokens_per_s = 0;          ///< of all DP ranks; a token that TP ranks share counts once
  double read_gbps = 0;             ///< a rank reading the logits, between the iterations
  double copy_gbps = 0;             ///< a rank copying them past the cache, bytes read plus written
  std::int64_t bytes_per_rank = 0;  ///< bytes that this provider has to move
  double gb_per_s = 0;              ///< bytes_per_rank / median_s
  double floor_s = 0;               ///< time for the fewest bytes that the operation can do with
  double share_of_floor = 0;        ///< floor_s / median_s
  double own_floor_s = 0;           ///< time for bytes_per_rank
  std::int64_t collectives = 0;     ///< of one iteration
  double bytes_per_token = 0;       ///< sent by one rank in one iteration
  /// Largest of all ranks, without arguments and results.
  std::int64_t extra_memory_bytes = 0;
  /// By other variant: the median of its time divided by this one's in the same iterations, and the
  /// ratio that the byte counts predict.
  std::map<std::string, double> speedup, predicted_speedup;
  bool oversubscribed = false;  ///< more ranks than cores
  bool cache_resident = false;  ///< the buffers may have stayed in the last-level cache
};

/// Members of a case in throughput.json; only `samples_s`, empty, where nothing was measured.
nlohmann::ordered_json to_json(const Timing& timing);
/// Throws nlohmann::json::exception where a member is missing or has the wrong type.
Timing timing_from_json(const nlohmann::json& json);

/// Names of the members that a measured case has, in order.
std::vector<std::string_view> timing_fields();

}  // namespace vparity::reports
