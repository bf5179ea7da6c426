// The storage types as number formats: rounding, and the distance between neighbours. Written from
// the definitions of the formats (IEEE 754 binary32 and binary16, bfloat16), independent of the
// kernels.
#pragma once

#include <cstdint>

namespace vparity::reference {

enum class Format { fp32, bf16, fp16 };

/// `value` rounded to nearest even; beyond the range it is an infinity, NaN stays NaN. The result
/// is exact in double.
double round_to(Format format, double value);

/// Half the distance between `value`'s neighbours in the format: half an ulp of its binade (of the
/// smallest normal binade below it). Infinity where `value` rounds to an infinity, NaN for NaN.
double half_ulp(Format format, double value);

/// The largest finite value. From half an ulp above it on, values round to an infinity.
double largest_finite(Format format);

/// Bit patterns of the 16-bit formats. Encoding rounds to nearest even; NaN becomes the canonical
/// quiet NaN (7fc0, 7e00). Throw std::invalid_argument for fp32.
std::uint16_t encode16(Format format, double value);
double decode16(Format format, std::uint16_t bits);

}  // namespace vparity::reference
