// A list of known bugs, as providers and as descriptions, in one order.
#pragma once

#include <array>
#include <tuple>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

/// `ProviderOf` makes a provider of kernels with a bug and its name.
template <template <class> class ProviderOf, class... Bugs>
struct KnownBugList {
  static constexpr std::array<KnownBug, sizeof...(Bugs)> known{Bugs::known...};

  static const auto& providers() {
    static const std::tuple<ProviderOf<Bugs>...> made{ProviderOf<Bugs>(Bugs::known.provider)...};
    static const std::array<const Provider*, sizeof...(Bugs)> all{
        &std::get<ProviderOf<Bugs>>(made)...};
    return all;
  }
};

}  // namespace vparity::harness
