#include "harness/case/axis_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>

#include "harness/io/json/json_value.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

using nlohmann::json;
using Parameters = CaseParameters;

[[noreturn]] void refuse(std::string_view axis, const json& value, std::string_view expected) {
  throw UsageError(fmt::format("{}: {} is not {}", axis, shown(value), expected));
}

template <std::integral T>
Axis integer_axis(std::string name, T Parameters::*member, std::int64_t lowest,
                  std::int64_t highest) {
  const auto read = [=](Parameters& parameters, const json& value) {
    const auto number = as_integer(value);
    if (!number || *number < lowest || *number > highest)
      refuse(name, value, fmt::format("an integer from {} to {}", lowest, highest));
    parameters.*member = static_cast<T>(*number);
  };
  return {name, read, [=](const Parameters& parameters) { return json(parameters.*member); }, {}};
}

/// The decimal number that names an fp32 value: 0.7, not 0.699999988079071.
json shortest(float value) { return json::parse(fmt::format("{}", value)); }

struct FloatRange {
  float lowest;
  float highest;
};
constexpr float float_max = std::numeric_limits<float>::max();
constexpr FloatRange positive = {std::numeric_limits<float>::denorm_min(), float_max};
constexpr FloatRange not_negative = {0, float_max};
constexpr FloatRange below_one = {0, 1 - std::numeric_limits<float>::epsilon() / 2};

float read_float(std::string_view axis, const json& value, const FloatRange& range,
                 std::string_view or_else = "") {
  const double number =
      value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (!(number >= range.lowest && number <= range.highest))
    refuse(axis, value,
           fmt::format("a number from {} to {}{}", double{range.lowest}, double{range.highest},
                       or_else));
  return static_cast<float>(number) + 0.0F;  // -0 is 0
}

Axis float_axis(std::string name, float Parameters::*member, FloatRange range) {
  const auto read = [=](Parameters& parameters, const json& value) {
    parameters.*member = read_float(name, value, range);
  };
  return {
      name, read, [=](const Parameters& parameters) { return shortest(parameters.*member); }, {}};
}

Axis optional_float_axis(std::string name, std::optional<float> Parameters::*member,
                         FloatRange range) {
  const auto read = [=](Parameters& parameters, const json& value) {
    (parameters.*member).reset();
    if (!value.is_null()) parameters.*member = read_float(name, value, range, " or null");
  };
  const auto write = [=](const Parameters& parameters) {
    const std::optional<float>& value = parameters.*member;
    return value ? shortest(*value) : json();
  };
  return {name, read, write, {}};
}

Axis switch_axis(std::string name, bool Parameters::*member) {
  const auto read = [=](Parameters& parameters, const json& value) {
    if (!value.is_boolean()) refuse(name, value, "true or false");
    parameters.*member = value.get<bool>();
  };
  const auto write = [=](const Parameters& parameters) { return json(parameters.*member); };
  return {name, read, write, {false, true}};
}

/// Index of `value` among `names`; throws naming the nearest.
std::size_t index_of(std::string_view axis, const json& value,
                     const std::vector<std::string>& names) {
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) refuse(axis, value, "a known value" + suggestion(text, names));
  return static_cast<std::size_t>(found - names.begin());
}

/// `names` in the order of the enumerators.
template <class Enum>
Axis enum_axis(std::string name, Enum Parameters::*member, std::vector<std::string> names) {
  const auto read = [=](Parameters& parameters, const json& value) {
    parameters.*member = static_cast<Enum>(index_of(name, value, names));
  };
  const auto write = [=](const Parameters& parameters) {
    return json(names.at(static_cast<std::size_t>(parameters.*member)));
  };
  return {name, read, write, std::vector<json>(names.begin(), names.end())};
}

/// Accepts any name; the caller checks whether it exists.
Axis name_axis(std::string name, std::string Parameters::*member) {
  const auto read = [=](Parameters& parameters, const json& value) {
    if (!value.is_string() || !is_plain_name(value.get<std::string>()))
      refuse(name, value, "a name of 1 to 64 letters, digits, '_', '.' and '-'");
    parameters.*member = value.get<std::string>();
  };
  return {name, read, [=](const Parameters& parameters) { return json(parameters.*member); }, {}};
}

/// Not in keys at its default: it came after the first ones were published.
Axis later(Axis axis) {
  axis.optional = true;
  return axis;
}

const std::vector<std::string> gradient_outputs = {"loss", "logprob", "entropy"};
constexpr bool GradientOf::*gradient_members[] = {&GradientOf::loss, &GradientOf::logprob,
                                                  &GradientOf::entropy};

GradientOf read_gradient_of(const json& value) {
  GradientOf result{false, false, false};
  if (!value.is_array() || value.empty())
    refuse("grad_of", value, "a list of one or more of loss, logprob, entropy");
  for (const json& name : value) {
    bool& on = result.*gradient_members[index_of("grad_of", name, gradient_outputs)];
    if (on) refuse("grad_of", value, fmt::format("a list without repetition of {}", shown(name)));
    on = true;
  }
  return result;
}

json write_gradient_of(const GradientOf& gradient) {
  json names = json::array();
  for (std::size_t i = 0; i < gradient_outputs.size(); ++i)
    if (gradient.*gradient_members[i]) names.push_back(gradient_outputs[i]);
  return names;
}

Axis grad_of_axis() {
  return {"grad_of",
          [](Parameters& parameters, const json& value) {
            parameters.grad_of = read_gradient_of(value);
          },
          [](const Parameters& parameters) { return write_gradient_of(parameters.grad_of); },
          {}};
}

constexpr std::int64_t max_ranks_of_a_group = 1024;
constexpr std::int64_t max_rows = std::int64_t{1} << 30;
constexpr std::int64_t max_id_columns = 16;
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

std::vector<Axis> make_table() {
  using P = Parameters;
  std::vector<Axis> table = {
      integer_axis("tp", &P::tp, 1, max_ranks_of_a_group),
      integer_axis("dp", &P::dp, 1, max_ranks_of_a_group),
      integer_axis("tokens", &P::tokens, 0, max_rows),
      integer_axis("vocab", &P::vocab, 1, max_vocab),
      enum_axis("dp_rows", &P::dp_rows, {"even", "uneven", "one_empty"}),
      enum_axis("dtype", &P::dtype, {"fp32", "bf16", "fp16"}),
      enum_axis("grad_dtype", &P::grad_dtype, {"logits", "fp32"}),
      integer_axis("ids", &P::ids, 1, max_id_columns),
      enum_axis("layout", &P::layout, {"ceil", "balanced", "padded"}),
      enum_axis("row_stride", &P::row_stride, {"packed", "strided", "huge"}),
      enum_axis("alignment", &P::alignment, {"natural", "odd"}),
      enum_axis("mode", &P::mode, {"fast", "gather", "reproducible"}),
      switch_axis("batch_invariant", &P::batch_invariant),
      switch_axis("in_place", &P::in_place),
      integer_axis("chunk", &P::chunk, 0, max_rows),
      enum_axis("backend", &P::backend, {"cpu", "cuda", "cuda-sim"}),
      enum_axis("transport", &P::transport, {"mpi", "threads", "nccl"}),
      name_axis("provider", &P::provider),
      enum_axis("logits", &P::logits,
                {"normal", "lm_like", "constant", "one_peak", "large_offset", "wide", "ascending",
                 "ties", "extreme", "nonfinite"}),
      enum_axis("mask", &P::mask,
                {"none", "top_k", "random", "one_shard", "first_block", "target", "padding",
                 "all_but_one", "whole_row"}),
      enum_axis("labels", &P::labels,
                {"uniform", "shard_edges", "last_id", "ignored_30", "all_ignored",
                 "one_dp_rank_ignored"}),
      enum_axis("weights", &P::weights, {"ones", "random_signed", "zeros_mixed", "advantages"}),
      grad_of_axis(),
      enum_axis("reduction", &P::reduction, {"sum", "mean"}),
      float_axis("temperature", &P::temperature, positive),
      optional_float_axis("softcap", &P::softcap, positive),
      float_axis("label_smoothing", &P::label_smoothing, below_one),
      float_axis("z_loss", &P::z_loss, not_negative),
      integer_axis("ignore_index", &P::ignore_index, int64_min, int64_max),
      later(enum_axis("op", &P::op, {"forward_backward", "forward", "backward"})),
  };
  std::sort(table.begin(), table.end(),
            [](const Axis& a, const Axis& b) { return a.name < b.name; });
  return table;
}

}  // namespace

const std::vector<Axis>& axis_table() {
  static const std::vector<Axis> table = make_table();
  return table;
}

}  // namespace vparity::harness
