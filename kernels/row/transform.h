// What a stored logit goes through before it is summed.
#pragma once

#include "vparity/options.h"

namespace vparity {

/// f(x) and the temperature: z_v = (f(x_v) - F) / tau.
struct Transform {
  float temperature = 1.0F;
  float softcap = 0.0F;  ///< 0: none
  /// By operations that give the same bits on every instruction set (semantics 6).
  bool reproducible = false;
};

inline Transform transform_of(const Options& options) {
  return {options.temperature, options.softcap.value_or(0.0F), options.mode == Mode::reproducible};
}

}  // namespace vparity
