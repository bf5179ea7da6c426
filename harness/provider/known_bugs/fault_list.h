// Faults as kernel sets and as words, in one order.
#pragma once

#include <array>
#include <tuple>

#include "harness/provider/known_bugs/known_fault.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

/// `ProviderOf` makes a provider of kernels with a fault and its name.
template <template <class> class ProviderOf, class... Faults>
struct FaultList {
  static constexpr std::array<KnownFault, sizeof...(Faults)> known{Faults::known...};

  static const auto& providers() {
    static const std::tuple<ProviderOf<Faults>...> made{
        ProviderOf<Faults>(Faults::known.provider)...};
    static const std::array<const Provider*, sizeof...(Faults)> all{
        &std::get<ProviderOf<Faults>>(made)...};
    return all;
  }
};

}  // namespace vparity::harness
