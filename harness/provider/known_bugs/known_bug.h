// A bug that a published vocab-parallel implementation has had.
#pragma once

#include <string_view>

namespace vparity::harness {

struct KnownBug {
  std::string_view provider;  ///< the provider that has it: `known-bug-` and what is wrong
  std::string_view what;      ///< what is wrong, in one sentence
  std::string_view found_in;  ///< public threads or projects; empty: in no one in particular
  std::string_view cases;  ///< glob on the keys of the CI cases that must catch it, as of --filter
};

}  // namespace vparity::harness
