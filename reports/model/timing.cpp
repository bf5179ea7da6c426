#include "reports/model/timing.h"

namespace vparity::reports {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// A member of a measured case.
struct Field {
  std::string_view name;
  ordered_json (*written)(const Timing& timing);
  void (*read)(Timing& timing, const json& value);
};

template <auto member>
constexpr Field field(std::string_view name) {
  return {.name = name,
          .written = [](const Timing& timing) { return ordered_json(timing.*member); },
          .read = [](Timing& timing, const json& value) { value.get_to(timing.*member); }};
}

/// The number of samples, which need not be read.
constexpr Field iterations{
    .name = "iterations",
    .written = [](const Timing& timing) { return ordered_json(timing.samples_s.size()); },
    .read = [](Timing&, const json&) {}};

/// Writer, reader and the test of the schema go by this table.
constexpr Field fields[]{field<&Timing::variant>("variant"),
                         field<&Timing::samples_s>("samples_s"),
                         field<&Timing::warmup>("warmup"),
                         iterations,
                         field<&Timing::median_s>("median_s"),
                         field<&Timing::median_interval_s>("median_interval_s"),
                         field<&Timing::p05_s>("p05_s"),
                         field<&Timing::p95_s>("p95_s"),
                         field<&Timing::rank_skew_s>("rank_skew_s"),
                         field<&Timing::tokens_per_s>("tokens_per_s"),
                         field<&Timing::read_gbps>("read_gbps"),
                         field<&Timing::copy_gbps>("copy_gbps"),
                         field<&Timing::bytes_per_rank>("bytes_per_rank"),
                         field<&Timing::gb_per_s>("gb_per_s"),
                         field<&Timing::floor_s>("floor_s"),
                         field<&Timing::share_of_floor>("share_of_floor"),
                         field<&Timing::own_floor_s>("own_floor_s"),
                         field<&Timing::collectives>("collectives"),
                         field<&Timing::bytes_per_token>("bytes_per_token"),
                         field<&Timing::extra_memory_bytes>("extra_memory_bytes"),
                         field<&Timing::speedup>("speedup"),
                         field<&Timing::predicted_speedup>("predicted_speedup"),
                         field<&Timing::oversubscribed>("oversubscribed"),
                         field<&Timing::cache_resident>("cache_resident")};

}  // namespace

ordered_json to_json(const Timing& timing) {
  if (timing.samples_s.empty()) return {{"samples_s", ordered_json::array()}};
  ordered_json written;
  for (const Field& field : fields) written[field.name] = field.written(timing);
  return written;
}

Timing timing_from_json(const json& value) {
  Timing timing;
  value.at("samples_s").get_to(timing.samples_s);
  if (timing.samples_s.empty()) return timing;
  for (const Field& field : fields) field.read(timing, value.at(field.name));
  return timing;
}

std::vector<std::string_view> timing_fields() {
  std::vector<std::string_view> names;
  for (const Field& field : fields) names.push_back(field.name);
  return names;
}

}  // namespace vparity::reports
