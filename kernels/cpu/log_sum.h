// L = log s of what is saved of a row.
#pragma once

namespace vparity::cpu {

/// `sum_minus_one`: s - 1. If `reproducible`, by the library's own logarithm.
double log_sum(float sum_minus_one, bool reproducible);

}  // namespace vparity::cpu
