// The elementary functions of mode `reproducible` (semantics 6). Each is written once, as
// operations of an arithmetic (arithmetic.h) on one number of the host or a device, or on a vector.
// The file is included inside a namespace, once per target of an arithmetic, with VPARITY_FUNCTION
// defined as the specifiers of the functions. Other files include elementary_functions.h.
//
// The bits of a result follow from IEEE 754 alone: each operation is rounded to nearest even, only
// `fma` is fused, and no table or library function is used.

/// The smallest x with e^x >= 2^-126, -87.3365..
inline constexpr float kExpCutOff = -0x1.5d589ep+6F;

/// e^x for kExpCutOff <= x <= 88 in fp32, within 2.4 ulp; e^0 = 1 exactly. For a smaller x the
/// result is meaningless.
template <class A, class V = typename A::Value>
VPARITY_FUNCTION V exp_in_range(V x) {
  // x = n ln 2 + r. Adding 1.5 * 2^23 rounds to an integer and leaves n in the low bits of the sum.
  const V round = A::set(0x1.8p+23F);
  const V shifted = A::fma(x, A::set(0x1.715476p+0F), round);
  const V n = A::sub(shifted, round);
  // ln 2 in two parts (Cody and Waite); the high one has 9 bits, so that n times it is exact.
  V r = A::fma(n, A::set(-0x1.63p-1F), x);
  r = A::fma(n, A::set(0x1.bd0106p-13F), r);
  // 1 + r + r^2 q(r), q the minimax polynomial of degree 3 on |r| <= ln 2 / 2: relative error
  // 1.05e-7 with these rounded coefficients.
  V p = A::fma(r, A::set(0x1.106284p-7F), A::set(0x1.5729f0p-5F));
  p = A::fma(r, p, A::set(0x1.5557aep-3F));
  p = A::fma(r, p, A::set(0x1.fffdfcp-2F));
  p = A::fma(r, p, A::set(1.0F));
  p = A::fma(r, p, A::set(1.0F));
  return A::times_power_of_two(p, n, shifted);
}

/// e^x for x <= 88, +0 below the cut-off, so that no result is subnormal.
template <class A, class V = typename A::Value>
VPARITY_FUNCTION V exp(V x) {
  return A::if_at_least(x, A::set(kExpCutOff), exp_in_range<A>(x));
}

/// e^x = two_to_n (1 + fraction), of an arithmetic of doubles.
template <class A>
struct ExpParts {
  typename A::Value two_to_n, fraction;
};

/// For |x| <= 700; relative error of e^x - 1 below 2^-30, which disappears in an fp32 result.
template <class A, class V = typename A::Value>
VPARITY_FUNCTION ExpParts<A> exp_parts(V x) {
  const V round = A::set(0x1.80000000003ffp+52);
  const V biased = A::add(A::mul(x, A::set(0x1.71547652b82fep+0)), round);
  const V n = A::sub(biased, round);
  const V two_to_n = A::from_bits(A::template shift_left<52>(A::to_bits(biased)));
  // The high part of ln 2 has 42 bits: n times it is exact.
  V r = A::sub(x, A::mul(n, A::set(0x1.62e42fefa38p-1)));
  r = A::sub(r, A::mul(n, A::set(0x1.ef35793c7673p-45)));
  // e^r - 1 = r q(r), q = 1 + r / 2! + ... + r^7 / 8!, |r| <= ln 2 / 2: the first term left out is
  // below 2^-30 of the sum. Evaluated in pairs (Estrin), because of the latency.
  const auto pair = [&](double high, double low) {
    return A::add(A::mul(r, A::set(high)), A::set(low));
  };
  const V r2 = A::mul(r, r);
  const V q01 = pair(0x1p-1, 0x1p+0);
  const V q23 = pair(0x1.5555555555555p-5, 0x1.5555555555555p-3);
  const V q45 = pair(0x1.6c16c16c16c17p-10, 0x1.1111111111111p-7);
  const V q67 = pair(0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-13);
  const V q =
      A::add(A::mul(A::mul(r2, r2), A::add(A::mul(r2, q67), q45)), A::add(A::mul(r2, q23), q01));
  return {two_to_n, A::mul(r, q)};
}

/// e^x - 1 for |x| <= 700 in double, relative error below 2^-30.
template <class A, class V = typename A::Value>
VPARITY_FUNCTION V expm1(V x) {
  const ExpParts<A> e = exp_parts<A>(x);
  return A::add(A::mul(e.two_to_n, e.fraction), A::sub(e.two_to_n, A::set(1.0)));
}

/// tanh x and its slope 1 - tanh^2, which keeps its digits where tanh rounds to 1.
template <class A>
struct Tanh {
  typename A::Value value, slope;
};

/// For any finite x, in double; relative errors below 2^-29. Beyond |x| = 350 the slope is below
/// what fp32 can hold.
template <class A, class V = typename A::Value>
VPARITY_FUNCTION Tanh<A> tanh(V x) {
  // tanh |x| = m / (m + 2) with m = e^(2 |x|) - 1.
  const V m = expm1<A>(A::min(A::abs(A::add(x, x)), A::set(700.0)));
  const V half_complement = A::div(A::set(1.0), A::add(m, A::set(2.0)));  // (1 - tanh |x|) / 2
  const V magnitude = A::mul(m, half_complement);
  const V complement = A::add(half_complement, half_complement);
  return {A::with_sign_of(magnitude, x), A::mul(complement, A::add(A::set(1.0), magnitude))};
}

/// c tanh(x / c) and its slope, of x in double; `reciprocal` is 1 / c rounded.
template <class A, class V = typename A::Value>
VPARITY_FUNCTION Tanh<A> softcap(V x, V c, V reciprocal) {
  const Tanh<A> capped = tanh<A>(A::mul(x, reciprocal));
  return {A::mul(c, capped.value), capped.slope};
}
