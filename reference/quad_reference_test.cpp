// The double reference against 128-bit arithmetic and against central differences. Its own error
// has to be negligible relative to its bounds: at most the share `share` of them.
#include "reference/quad_test_support.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace vparity::reference {
namespace {

constexpr double share = 1e-8;  // the largest seen is 7e-10
constexpr float masked = -std::numeric_limits<float>::infinity();

using Row = std::vector<float>;
using Ids = std::vector<std::int64_t>;
using Random = std::mt19937_64;

struct Pattern {
  std::string name;
  std::function<Row(Random&, std::size_t vocab)> make;
};

Row normal(Random& random, std::size_t vocab, double mean, double deviation) {
  std::normal_distribution<float> draw(static_cast<float>(mean), static_cast<float>(deviation));
  Row row(vocab);
  std::ranges::generate(row, [&] { return draw(random); });
  return row;
}

Row wide(Random& random, std::size_t vocab) {
  std::uniform_real_distribution<float> draw(-80, 80);
  Row row(vocab);
  std::ranges::generate(row, [&] { return draw(random); });
  return row;
}

Row one_peak(Random& random, std::size_t vocab) {
  Row row(vocab, 0.25F);
  row[random() % vocab] = 40;
  return row;
}

Row half_masked(Random& random, std::size_t vocab) {
  Row row = normal(random, vocab, 0, 2);
  for (std::size_t v = 1; v < vocab; v += 2) row[v] = masked;
  return row;
}

const std::vector<Pattern> patterns{
    {"normal", [](Random& r, std::size_t vocab) { return normal(r, vocab, 0, 3); }},
    {"offset", [](Random& r, std::size_t vocab) { return normal(r, vocab, -1e4, 1); }},
    {"constant", [](Random&, std::size_t vocab) { return Row(vocab, 7.0F); }},
    {"wide", wide},
    {"one_peak", one_peak},
    {"half_masked", half_masked}};

std::vector<Parameters> all_parameters() {
  std::vector<Parameters> all;
  for (const float tau : {1.0F, 0.7F, 3.0F})
    for (const float softcap : {0.0F, 2.0F, 30.0F})
      for (const float smoothing : {0.0F, 0.1F})
        for (const float z_loss : {0.0F, 1e-3F}) {
          Parameters parameters{.temperature = tau, .label_smoothing = smoothing, .z_loss = z_loss};
          if (softcap != 0) parameters.softcap = softcap;
          all.push_back(parameters);
        }
  return all;
}

/// Valid columns (column 0 is never masked), a duplicate, and now and then an ignored one.
Ids random_ids(Random& random, const Row& row) {
  Ids ids{static_cast<std::int64_t>(random() % row.size()), 0,
          static_cast<std::int64_t>(random() % row.size())};
  for (std::int64_t& id : ids) {
    if (row[static_cast<std::size_t>(id)] == masked) id = 0;
    if (random() % 8 == 0) id = Parameters{}.ignore_index;
  }
  ids.push_back(ids[0]);
  return ids;
}

Upstream random_upstream(Random& random, std::size_t columns) {
  std::normal_distribution<float> draw;
  Upstream upstream{.entropy = draw(random), .loss = draw(random)};
  for (std::size_t k = 0; k < columns; ++k) upstream.logprob.push_back(draw(random));
  return upstream;
}

/// Every pattern with all parameters; `check(row, ids, upstream, parameters)`.
template <class Check>
void for_each_row(const std::vector<std::size_t>& vocabularies, const Check& check) {
  Random random(20260916);
  for (const std::size_t vocab : vocabularies)
    for (const Pattern& pattern : patterns)
      for (const Parameters& parameters : all_parameters()) {
        const Row row = pattern.make(random, vocab);
        const Ids ids = random_ids(random, row);
        SCOPED_TRACE(pattern.name + " V=" + std::to_string(vocab) +
                     " tau=" + std::to_string(parameters.temperature) +
                     " c=" + std::to_string(parameters.softcap.value_or(0)));
        check(row, ids, random_upstream(random, ids.size()), parameters);
      }
}

std::vector<Quad> widened(const Row& row) { return {row.begin(), row.end()}; }

/// |value - exact| as a share of the bound; 0 where both are exactly equal.
double share_of_bound(const Bounded& bounded, Quad exact) {
  const double error = static_cast<double>(fabsq(Quad{bounded.value} - exact));
  return error == 0 ? 0 : error / bounded.bound;
}

void expect_negligible_errors(const RowStatistics& row, const QuadRow& exact) {
  for (std::size_t k = 0; k < row.ids.size(); ++k)
    EXPECT_LE(share_of_bound(row.logprob[k], exact.logprob(k)), share) << "id column " << k;
  EXPECT_LE(share_of_bound(row.entropy, exact.entropy()), share);
  EXPECT_LE(share_of_bound(row.lse, exact.lse()), share);
  EXPECT_LE(share_of_bound(row.loss, exact.loss()), share);
}

TEST(QuadReference, ForwardErrorIsNegligibleBesideTheBound) {
  for_each_row({1, 2, 3, 17, 500}, [&](const Row& logits, const Ids& ids, const Upstream&,
                                       const Parameters& parameters) {
    const RowStatistics row = row_statistics(logits, ids, parameters);
    expect_negligible_errors(row, QuadRow(widened(logits), ids, parameters));
  });
}

TEST(QuadReference, ErrorDoesNotGrowWithTheVocabulary) {
  Random random(1);
  const Row logits = normal(random, 151936, 5, 2);
  const Ids ids{151935};
  const Parameters parameters{.label_smoothing = 0.1};
  expect_negligible_errors(row_statistics(logits, ids, parameters),
                           QuadRow(widened(logits), ids, parameters));
}

TEST(QuadReference, GradientErrorIsNegligibleBesideTheBound) {
  for_each_row({1, 2, 3, 17, 500}, [&](const Row& logits, const Ids& ids, const Upstream& upstream,
                                       const Parameters& parameters) {
    const RowGradient row =
        row_gradient(row_statistics(logits, ids, parameters), upstream, parameters);
    const QuadRow exact(widened(logits), ids, parameters);
    for (std::size_t v = 0; v < logits.size(); ++v) {
      if (logits[v] == masked) continue;
      const auto column = static_cast<std::int64_t>(v);
      const double error =
          share_of_bound(gradient(row, column, logits[v]), exact.gradient(upstream, column));
      EXPECT_LE(error, share) << "column " << v;
    }
  });
}

TEST(QuadReference, GradientIsTheDerivativeOfTheForward) {
  const Quad step = 1e-8;
  for_each_row({1, 2, 3, 9}, [&](const Row& logits, const Ids& ids, const Upstream& upstream,
                                 const Parameters& parameters) {
    const RowGradient row =
        row_gradient(row_statistics(logits, ids, parameters), upstream, parameters);
    const auto objective_at = [&](std::size_t v, Quad shift) {
      std::vector<Quad> moved = widened(logits);
      moved[v] += shift;
      return QuadRow(moved, ids, parameters).objective(upstream);
    };
    for (std::size_t v = 0; v < logits.size(); ++v) {
      if (logits[v] == masked) continue;
      const Quad slope = (objective_at(v, step) - objective_at(v, -step)) / (2 * step);
      // The difference itself is good to 1e-13 (truncation, and 1e-33 / step of rounding).
      const Bounded element = gradient(row, static_cast<std::int64_t>(v), logits[v]);
      const double error = static_cast<double>(fabsq(Quad{element.value} - slope));
      EXPECT_LE(error, share * element.bound + 1e-13) << "column " << v;
    }
  });
}

}  // namespace
}  // namespace vparity::reference
