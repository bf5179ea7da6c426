// The plain kernels, or kernels derived from them, as a provider.
#pragma once

#include <concepts>

#include "harness/provider/plain/plain_kernels.h"

namespace vparity::harness {

inline std::optional<std::string> unsupported_by_plain(const Problem& problem) {
  if (problem.options.mode == Mode::fast) return std::nullopt;
  return "the plain kernels have mode fast alone";
}

template <std::derived_from<PlainKernels> Kernels = PlainKernels>
class PlainProvider final : public Provider {
 public:
  constexpr explicit PlainProvider(std::string_view name) : name_(name) {}

  std::string_view name() const override { return name_; }

  std::optional<std::string> unsupported(const Problem& problem) const override {
    return unsupported_by_plain(problem);
  }

  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override {
    validate(problem.options);
    return std::make_unique<Kernels>(problem, groups, own);
  }

 private:
  std::string_view name_;
};

}  // namespace vparity::harness
