#include "tests/support/expectations.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/global_results.h"
#include "reference/storage_format.h"
#include "tests/support/run_ranks.h"

namespace vparity::testing {
namespace {

using reference::Bounded;

constexpr double hand_precision = 1e-9;  // the least that values by hand are written out to

reference::Format format_of(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return reference::Format::fp32;
    case DType::bf16:
      return reference::Format::bf16;
    case DType::fp16:
      return reference::Format::fp16;
  }
  return {};
}

reference::Parameters parameters_of(const Options& options) {
  reference::Parameters parameters;
  parameters.temperature = options.temperature;
  if (options.softcap) parameters.softcap = *options.softcap;
  parameters.label_smoothing = options.label_smoothing;
  parameters.z_loss = options.z_loss;
  parameters.ignore_index = options.ignore_index;
  parameters.sums_on_grid = options.mode == Mode::reproducible;
  return parameters;
}

std::vector<reference::RowStatistics> rows_of(const Problem& problem,
                                              const reference::Parameters& parameters) {
  const std::vector<float> stored = decode(encode(problem.logits, problem.dtype), problem.dtype);
  const auto vocab = static_cast<std::size_t>(problem.vocab);
  const auto columns = static_cast<std::size_t>(problem.id_columns);
  std::vector<reference::RowStatistics> rows;
  for (std::size_t t = 0; t < static_cast<std::size_t>(problem.rows()); ++t) {
    rows.push_back(reference::row_statistics(std::span(stored).subspan(t * vocab, vocab),
                                             std::span(problem.ids).subspan(t * columns, columns),
                                             parameters));
  }
  return rows;
}

reference::Upstream upstream_of(const Problem& problem, std::size_t row, double loss_divisor) {
  const auto columns = static_cast<std::size_t>(problem.id_columns);
  reference::Upstream upstream;
  for (std::size_t k = 0; !problem.grad_logprob.empty() && k < columns; ++k) {
    upstream.logprob.push_back(problem.grad_logprob[row * columns + k]);
  }
  if (!problem.grad_entropy.empty()) upstream.entropy = problem.grad_entropy[row];
  if (!problem.grad_loss.empty()) upstream.loss = problem.grad_loss[row] / loss_divisor;
  return upstream;
}

void append_gradient(const Problem& problem, const reference::RowGradient& row, std::size_t t,
                     std::vector<Bounded>& gradient) {
  const std::vector<float> stored = decode(encode(problem.logits, problem.dtype), problem.dtype);
  const auto vocab = static_cast<std::size_t>(problem.vocab);
  for (std::size_t v = 0; v < vocab; ++v) {
    Bounded element = reference::gradient(row, static_cast<std::int64_t>(v), stored[t * vocab + v]);
    if (element.bound > 0) {
      element.bound += reference::half_ulp(format_of(problem.gradient_dtype), element.value);
    }
    gradient.push_back(element);
  }
}

/// Written so that NaN fails, unless it is expected.
bool is_near(double actual, double expected, double bound) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected)) return actual == expected;
  return std::abs(actual - expected) <= bound;
}

void expect_near(double actual, double expected, double bound, const char* name) {
  EXPECT_TRUE(is_near(actual, expected, bound))
      << name << " is " << actual << ", expected " << expected << " within " << bound;
}

void expect_values(const char* output, std::span<const float> actual,
                   const std::vector<Bounded>& reference, const std::vector<double>& by_hand) {
  ASSERT_EQ(actual.size(), reference.size()) << output;
  ASSERT_TRUE(by_hand.empty() || by_hand.size() == reference.size()) << output;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const auto [value, bound] = reference[i];
    EXPECT_TRUE(is_near(actual[i], value, bound)) << output << '[' << i << "] is " << actual[i]
                                                  << ", expected " << value << " within " << bound;
    if (by_hand.empty()) continue;
    EXPECT_TRUE(is_near(value, by_hand[i], hand_precision * std::abs(by_hand[i])))
        << output << '[' << i << "] of the reference is " << value << ", by hand " << by_hand[i];
  }
}

void in_every_way(ProcessGroups groups, Problem problem,
                  const std::function<void(const Outcome&)>& examine) {
  examine(solve(groups, problem));
  problem.fused = true;
  {
    SCOPED_TRACE("fused");
    examine(solve(groups, problem));
  }
  problem.fused = false;
  problem.on_device = true;
  SCOPED_TRACE("on a device");
  examine(solve(groups, problem));
}

void in_every_layout_and_mode(ProcessGroups groups, Problem problem,
                              const std::function<void(const Outcome&)>& examine) {
  for (const Layout layout : {Layout::ceil, Layout::balanced, Layout::padded}) {
    for (const Mode mode : {Mode::fast, Mode::gather, Mode::reproducible}) {
      if (mode == Mode::reproducible && problem.options.label_smoothing > 0) continue;
      problem.layout = layout;
      problem.options.mode = mode;
      SCOPED_TRACE(::testing::Message()
                   << "layout " << static_cast<int>(layout) << ", mode " << static_cast<int>(mode));
      in_every_way(groups, problem, examine);
    }
  }
}

}  // namespace

ReferenceOutcome solve_by_reference(const Problem& problem) {
  const reference::Parameters parameters = parameters_of(problem.options);
  const std::vector<reference::RowStatistics> rows = rows_of(problem, parameters);
  ReferenceOutcome outcome;
  reference::GlobalAccumulator sums;
  for (const reference::RowStatistics& row : rows) {
    outcome.logprob.insert(outcome.logprob.end(), row.logprob.begin(), row.logprob.end());
    outcome.entropy.push_back(row.entropy);
    outcome.lse.push_back(row.lse);
    outcome.loss.push_back(row.loss);
    sums.add(row);
  }
  outcome.loss_sum = sums.loss_sum();
  outcome.loss_mean = sums.loss_mean();
  outcome.entropy_mean = sums.entropy_mean();
  outcome.valid_tokens = sums.valid_tokens();
  outcome.degenerate_rows = sums.degenerate_rows();

  const bool mean = problem.options.reduction == Reduction::mean;
  const double divisor = mean ? std::max(static_cast<double>(outcome.valid_tokens), 1.0) : 1;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto upstream = upstream_of(problem, t, divisor);
    append_gradient(problem, reference::row_gradient(rows[t], upstream, parameters), t,
                    outcome.gradient);
  }
  return outcome;
}

void expect_outcome(const Outcome& outcome, const ReferenceOutcome& reference,
                    const ByHand& by_hand) {
  expect_values("logprob", outcome.logprob, reference.logprob, by_hand.logprob);
  expect_values("entropy", outcome.entropy, reference.entropy, by_hand.entropy);
  expect_values("lse", outcome.lse, reference.lse, {});
  expect_values("loss", outcome.loss, reference.loss, by_hand.loss);
  expect_values("gradient", outcome.gradient, reference.gradient, by_hand.gradient);
  const GlobalResults& global = outcome.global;
  expect_near(global.loss_sum, reference.loss_sum.value, reference.loss_sum.bound, "loss_sum");
  expect_near(global.loss_mean, reference.loss_mean.value, reference.loss_mean.bound, "loss_mean");
  expect_near(global.entropy_mean, reference.entropy_mean.value, reference.entropy_mean.bound,
              "entropy_mean");
  EXPECT_EQ(global.valid_tokens, by_hand.valid_tokens.value_or(reference.valid_tokens));
  EXPECT_EQ(global.degenerate_rows, reference.degenerate_rows);
  if (by_hand.loss_mean) {
    expect_near(global.loss_mean, *by_hand.loss_mean, reference.loss_mean.bound,
                "loss_mean by hand");
  }
}

void on_every_grid(const Problem& problem, const std::function<void(const Outcome&)>& examine) {
  for (const int tp : {1, 2, 3, 4, 8}) {
    if (tp * problem.dp() > max_ranks) continue;
    run_ranks(tp * problem.dp(), [&](Communicator& world) {
      const Grid grid(world, tp);
      SCOPED_TRACE(::testing::Message() << "tp " << tp);
      in_every_layout_and_mode(grid.groups(), problem, examine);
    });
  }
}

void expect_on_every_grid(const Problem& problem, const ByHand& by_hand) {
  const ReferenceOutcome reference = solve_by_reference(problem);
  on_every_grid(problem,
                [&](const Outcome& outcome) { expect_outcome(outcome, reference, by_hand); });
}

}  // namespace vparity::testing
