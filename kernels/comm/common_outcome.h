// A step of a group that succeeds on all ranks or fails on all of them.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "vparity/communicator.h"

namespace vparity {

/// Collective. If `failure` is not empty on some rank, every rank throws CommunicationError with
/// `step`, the first such rank and the beginning of its `failure`.
void throw_if_any_failed(Communicator& group, std::string_view step, std::string_view failure);

/// Collective. Runs `body`. Returns its result if it threw on no rank.
template <class Body>
std::invoke_result_t<Body> with_common_outcome(Communicator& group, std::string_view step,
                                               Body body) {
  std::optional<std::invoke_result_t<Body>> result;
  std::string failure;
  try {
    result.emplace(body());
  } catch (const std::exception& error) {
    failure = error.what();
    if (failure.empty()) failure = "an error without a message";
  }
  throw_if_any_failed(group, step, failure);
  return *std::move(result);
}

}  // namespace vparity
