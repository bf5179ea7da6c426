#include "call/agreement.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vparity/errors.h"

namespace vparity {
namespace {

static_assert(std::is_trivially_copyable_v<Statement>);  // it travels as bytes

struct NamedText {
  std::string_view name;
  std::string text;
};

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::fast:
      return "fast";
    case Mode::gather:
      return "gather";
    case Mode::reproducible:
      return "reproducible";
  }
  return "?";
}

/// Everything that has to be the same on every rank; numbers in shortest round-trip form.
std::array<NamedText, 10> replicated_part(const Statement& statement) {
  const Options& options = statement.options;
  return {{
      {"temperature", fmt::to_string(options.temperature)},
      {"softcap", options.softcap ? fmt::to_string(*options.softcap) : "none"},
      {"label_smoothing", fmt::to_string(options.label_smoothing)},
      {"z_loss", fmt::to_string(options.z_loss)},
      {"ignore_index", fmt::to_string(options.ignore_index)},
      {"reduction", options.reduction == Reduction::sum ? "sum" : "mean"},
      {"chunk", fmt::to_string(options.chunk)},
      {"mode", std::string(name_of(options.mode))},
      {"batch_invariant", options.batch_invariant ? "true" : "false"},
      {"vocab", fmt::to_string(statement.vocab)},
  }};
}

std::string place(std::size_t position, int tp) {
  return fmt::format("tp rank {}, dp rank {}", position % static_cast<std::size_t>(tp),
                     position / static_cast<std::size_t>(tp));
}

void check_same(std::span<const Statement> job, int tp) {
  const auto first = replicated_part(job.front());
  for (std::size_t position = 1; position < job.size(); ++position) {
    const auto other = replicated_part(job[position]);
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i].text == other[i].text) continue;
      throw ArgumentError(fmt::format("{} differs between ranks: {} on {}, but {} on {}",
                                      first[i].name, first[i].text, place(0, tp), other[i].text,
                                      place(position, tp)));
    }
  }
}

/// All DP replicas must split the vocabulary in the same way.
void check_same_columns(std::span<const Statement> job, int tp) {
  for (std::size_t position = 0; position < job.size(); ++position) {
    const ShardColumns& expected = job[position % static_cast<std::size_t>(tp)].columns;
    const ShardColumns& actual = job[position].columns;
    if (actual == expected) continue;
    throw ArgumentError(fmt::format(
        "the shard of {} has columns [{}, {}) in a width of {}, but that of dp rank 0 has "
        "[{}, {}) in {}",
        place(position, tp), actual.begin, actual.end, actual.width, expected.begin, expected.end,
        expected.width));
  }
}

}  // namespace

VocabularySplit agreed_split(std::span<const Statement> job, int tp) {
  for (const Statement& statement : job) validate(statement.options);
  check_same(job, tp);
  std::vector<ShardColumns> shards;
  for (const Statement& statement : job.first(static_cast<std::size_t>(tp))) {
    shards.push_back(statement.columns);
  }
  VocabularySplit split(job.front().vocab, std::move(shards));
  check_same_columns(job, tp);
  return split;
}

VocabularySplit agree(ProcessGroups groups, const Statement& own) {
  // Over TP, then over DP: after the second step every rank holds the statements of the whole job
  // and decides alike.
  const std::vector<Statement> replica = all_gather_values(groups.tp, own);
  std::vector<Statement> job(replica.size() * static_cast<std::size_t>(groups.dp.size()));
  groups.dp.all_gather(std::as_bytes(std::span(replica)), std::as_writable_bytes(std::span(job)));
  return agreed_split(job, groups.tp.size());
}

}  // namespace vparity
