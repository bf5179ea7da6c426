#include "harness/run/launcher/first_failing_rank.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "harness/run/launcher/log_evidence.h"

namespace vparity::harness {
namespace {

/// The ranks that have come least far of those that do not wait; none if nothing sets them apart,
/// or no rank has come to a collective.
std::vector<int> ranks_waited_for(const std::vector<RankState>& states) {
  auto least = std::numeric_limits<std::uint64_t>::max();
  for (const auto& state : states) {
    if (!state.waits) least = std::min(least, state.collectives);
  }
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < states.size(); ++rank) {
    if (!states[rank].waits && states[rank].collectives == least) {
      ranks.push_back(static_cast<int>(rank));
    }
  }
  const bool alike = states.size() > 1 && ranks.size() == states.size();
  const bool none_started =
      std::ranges::all_of(states, [](const auto& state) { return state.collectives == 0; });
  return alike || none_started ? std::vector<int>{} : ranks;
}

std::optional<int> rank_that_aborts(const std::vector<RankState>& states) {
  const auto found = std::ranges::find_if(states, &RankState::aborts);
  if (found == states.end()) return std::nullopt;
  return static_cast<int>(found - states.begin());
}

std::string place_of(int rank, const EvidenceOfEnd& evidence) {
  const auto index = static_cast<std::size_t>(rank);
  const std::string_view own =
      index < evidence.states.size() ? evidence.states[index].phase.data() : "";
  const auto phase = own.empty() ? evidence.phase : own;
  return phase.empty() ? "" : fmt::format(", in phase {}", phase);
}

std::string describe(int rank, std::string_view what, const EvidenceOfEnd& evidence) {
  return fmt::format("first failing rank {}{}{}{}", rank, place_of(rank, evidence),
                     what.empty() ? "" : ": ", what);
}

std::string describe(const std::vector<int>& ranks, const EvidenceOfEnd& evidence) {
  if (ranks.empty()) return {};
  if (ranks.size() == 1) return describe(ranks.front(), "", evidence);
  return fmt::format("first failing: one of the ranks {}{}", fmt::join(ranks, ", "),
                     place_of(ranks.front(), evidence));
}

}  // namespace

std::string first_failing_rank(const EvidenceOfEnd& evidence) {
  const auto words_of = [&](std::optional<int> rank) {
    return evidence.running_case.empty()
               ? std::nullopt
               : first_words_about(evidence.running_case, evidence.log, rank);
  };
  const auto describe_in_words = [&](int rank, const std::string& otherwise) {
    const auto words = words_of(rank);
    return describe(rank, words ? words->text : otherwise, evidence);
  };
  if (const auto end = end_told_by_launcher(evidence.log)) {
    return describe_in_words(end->rank, end->how);
  }
  if (const auto rank = rank_that_aborts(evidence.states)) return describe_in_words(*rank, "");
  if (const auto words = words_of(std::nullopt)) {
    return describe(words->rank, words->text, evidence);
  }
  return describe(ranks_waited_for(evidence.states), evidence);
}

}  // namespace vparity::harness
