#include "reports/model/timing.h"

namespace vparity::reports {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json to_json(const Timing& timing) {
  if (timing.samples_s.empty()) return {{"samples_s", ordered_json::array()}};
  return {{"variant", timing.variant},
          {"samples_s", timing.samples_s},
          {"warmup", timing.warmup},
          {"iterations", timing.samples_s.size()},
          {"median_s", timing.median_s},
          {"median_interval_s", {timing.median_low_s, timing.median_high_s}},
          {"p05_s", timing.p05_s},
          {"p95_s", timing.p95_s},
          {"rank_skew_s", timing.rank_skew_s},
          {"tokens_per_s", timing.tokens_per_s},
          {"read_gbps", timing.read_gbps},
          {"copy_gbps", timing.copy_gbps},
          {"bytes_per_rank", timing.bytes_per_rank},
          {"gb_per_s", timing.gb_per_s},
          {"floor_s", timing.floor_s},
          {"share_of_floor", timing.share_of_floor},
          {"own_floor_s", timing.own_floor_s},
          {"collectives", timing.collectives},
          {"bytes_per_token", timing.bytes_per_token},
          {"extra_memory_bytes", timing.extra_memory_bytes},
          {"speedup", timing.speedup},
          {"predicted_speedup", timing.predicted_speedup},
          {"oversubscribed", timing.oversubscribed},
          {"cache_resident", timing.cache_resident}};
}

Timing timing_from_json(const json& value) {
  Timing timing;
  value.at("samples_s").get_to(timing.samples_s);
  if (timing.samples_s.empty()) return timing;
  value.at("variant").get_to(timing.variant);
  value.at("warmup").get_to(timing.warmup);
  value.at("median_s").get_to(timing.median_s);
  value.at("median_interval_s").at(0).get_to(timing.median_low_s);
  value.at("median_interval_s").at(1).get_to(timing.median_high_s);
  value.at("p05_s").get_to(timing.p05_s);
  value.at("p95_s").get_to(timing.p95_s);
  value.at("rank_skew_s").get_to(timing.rank_skew_s);
  value.at("tokens_per_s").get_to(timing.tokens_per_s);
  value.at("read_gbps").get_to(timing.read_gbps);
  value.at("copy_gbps").get_to(timing.copy_gbps);
  value.at("bytes_per_rank").get_to(timing.bytes_per_rank);
  value.at("gb_per_s").get_to(timing.gb_per_s);
  value.at("floor_s").get_to(timing.floor_s);
  value.at("share_of_floor").get_to(timing.share_of_floor);
  value.at("own_floor_s").get_to(timing.own_floor_s);
  value.at("collectives").get_to(timing.collectives);
  value.at("bytes_per_token").get_to(timing.bytes_per_token);
  value.at("extra_memory_bytes").get_to(timing.extra_memory_bytes);
  value.at("speedup").get_to(timing.speedup);
  value.at("predicted_speedup").get_to(timing.predicted_speedup);
  value.at("oversubscribed").get_to(timing.oversubscribed);
  value.at("cache_resident").get_to(timing.cache_resident);
  return timing;
}

}  // namespace vparity::reports
