// The outputs that are compared with the reference, by name.
#pragma once

#include <array>
#include <string_view>

namespace vparity::harness {

enum class Output { logprob, entropy, lse, loss, grad_logits, loss_mean, entropy_mean };
inline constexpr std::array<std::string_view, 7> output_names{
    "logprob", "entropy", "lse", "loss", "grad_logits", "loss_mean", "entropy_mean"};

constexpr std::string_view name_of(Output output) {
  return output_names[static_cast<std::size_t>(output)];
}

}  // namespace vparity::harness
