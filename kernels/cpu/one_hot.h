// The gradient at a column that is somebody's target.
#pragma once

#include "cpu/row_kernels.h"

namespace vparity::cpu {

/// grad_x of semantics 3 at a column with stored logit `x`, `f` = transform.apply(x) and one-hot
/// part `weight`, by rules 4 and 5, in double: here a confident row's p and weight cancel, which
/// the vectorised pass cannot see.
double one_hot_gradient(const RowGradient& row, const Transform& transform, float x, float f,
                        double weight);

}  // namespace vparity::cpu
