#include "reports/text/worst_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "reports/model/gate.h"
#include "reports/text/failure_text.h"
#include "reports/text/text_layout.h"
#include "reports/text/text_safety.h"

namespace vparity::reports {
namespace {

/// The status that says most about the kernels comes first.
constexpr std::array by_weight{Status::failed, Status::untrusted, Status::crashed, Status::timeout,
                               Status::error};

std::ptrdiff_t weight(const CaseResult& result) {
  return std::ranges::find(by_weight, result.status) - by_weight.begin();
}

double error_ratio_of(const CaseResult& result) {
  const auto* output = worst_output(result);
  return output == nullptr ? 0 : output->error_ratio;
}

/// With the digits of fp32, or with all digits if those are equal.
std::string actual_and_expected(double actual, double expected) {
  const auto short_actual = fmt::format("{:.9g}", actual),
             short_expected = fmt::format("{:.9g}", expected);
  return short_actual == short_expected ? fmt::format("{}, not {}", actual, expected)
                                        : fmt::format("{}, not {}", short_actual, short_expected);
}

std::string how_far(double error_ratio) {
  return std::isfinite(error_ratio) ? fmt::format("{:.3g} times its bound", error_ratio)
                                    : std::string("it must be exact");
}

/// A mean is one number and has no row.
std::string place_of(const OutputResult& output) {
  if (output.name.ends_with("_mean")) return output.name;
  if (output.name == "grad_logits" || output.name == "logprob")
    return fmt::format("{}[{}, {}]", output.name, output.worst->row, output.worst->column);
  return fmt::format("{}[{}]", output.name, output.worst->row);
}

std::string element_text(const OutputResult& output) {
  const auto& worst = *output.worst;
  return fmt::format("{} on rank {}: {}; {}", place_of(output), worst.rank,
                     actual_and_expected(worst.actual, worst.expected),
                     how_far(output.error_ratio));
}

std::string other_wrong_outputs(const CaseResult& result, const OutputResult& worst) {
  std::string names;
  for (const auto& output : result.outputs)
    if (output.mismatches > 0 && &output != &worst)
      names += (names.empty() ? "; also wrong: " : ", ") + output.name;
  return names;
}

std::string what(const CaseResult& result) {
  if (const auto* output = worst_output(result)) return element_text(*output);
  return fmt::format("{} in phase {}: {}", name_of(result.status), result.phase,
                     what_failed(result));
}

std::string extent(const CaseResult& result) {
  if (const auto* output = worst_output(result))
    return fmt::format("{} of {} elements{}{}", output->mismatches, output->checked,
                       other_wrong_outputs(result, *output), violated_text(result));
  return fmt::format("attempt {}, after {:.3g} s", result.attempts, result.wall_s);
}

}  // namespace

const CaseResult* worst_failure(const Report& report) {
  auto failures = failing_cases(report);
  std::erase_if(failures, [](const CaseResult* one) { return one->status == Status::not_run; });
  if (failures.empty()) return nullptr;
  return *std::ranges::min_element(failures, {}, [](const CaseResult* failure) {
    return std::tuple(weight(*failure), -error_ratio_of(*failure));
  });
}

std::string explanation(const CaseResult& failure, const std::string& default_key) {
  return wrapped("worst failure: " + brief_name(failure, default_key)) +
         wrapped_behind("  what    ", one_line(what(failure))) +
         wrapped_behind("  extent  ", one_line(extent(failure))) +
         fmt::format("  repeat  {}\n", one_line(failure.repeat));
}

}  // namespace vparity::reports
