// The bugs that public vocab-parallel implementations have had, each as a provider that has
// nothing else wrong: the plain kernels with one step replaced.
#pragma once

#include <span>
#include <string_view>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

std::span<const KnownBug> known_bugs();

/// Their providers, in the same order.
std::span<const Provider* const> known_bug_providers();

}  // namespace vparity::harness
