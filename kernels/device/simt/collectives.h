// __syncthreads, __syncwarp, shuffles, votes and reductions. The last argument of each is the
// source location of the call, which kernels leave out.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <source_location>

#include "device/simt/builtins.h"
#include "device/simt/completions.h"
#include "device/simt/request.h"

namespace vparity::simt {

namespace detail {

using Place = std::source_location;

template <class T, class... Others>
concept OneOf = (std::same_as<T, Others> || ...);

template <class T>
concept ShuffleValue =
    OneOf<T, int, unsigned, long, unsigned long, long long, unsigned long long, float, double>;

template <class T>
std::uint64_t to_bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint64_t meet_block(const Collective& collective, int predicate, const Place& where) {
  Request request{&collective, where, 0, 0, predicate != 0};
  meet(request);
  return request.result;
}

inline std::uint64_t meet_lanes(const Collective& collective, unsigned mask, std::uint64_t value,
                                const Place& where) {
  Request request{&collective, where, mask, 0, value};
  meet(request);
  return request.result;
}

/// Throws KernelFault unless `width` is that of a warp.
void check_width(const Collective& collective, int width, const Place& where);

/// Reads `value` of the lane `source`. A `width` other than that of a warp is a KernelFault.
template <ShuffleValue T>
T shuffle(const Collective& collective, unsigned mask, T value, unsigned source, int width,
          const Place& where) {
  check_width(collective, width, where);
  Request request{&collective, where, mask, source, to_bits(value)};
  meet(request);
  return from_bits<T>(request.result);
}

}  // namespace detail

namespace language {

inline void __syncthreads(detail::Place where = detail::Place::current()) {
  detail::meet_block(kSyncThreads, 0, where);
}

inline int __syncthreads_or(int predicate, detail::Place where = detail::Place::current()) {
  return static_cast<int>(detail::meet_block(kSyncThreadsOr, predicate, where));
}

inline int __syncthreads_and(int predicate, detail::Place where = detail::Place::current()) {
  return static_cast<int>(detail::meet_block(kSyncThreadsAnd, predicate, where));
}

inline int __syncthreads_count(int predicate, detail::Place where = detail::Place::current()) {
  return static_cast<int>(detail::meet_block(kSyncThreadsCount, predicate, where));
}

inline void __syncwarp(unsigned mask = 0xFFFFFFFF, detail::Place where = detail::Place::current()) {
  detail::meet_lanes(kSyncWarp, mask, 0, where);
}

// A lane beyond the warp's ends is the calling lane itself; distances have 5 bits.

template <detail::ShuffleValue T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize,
              detail::Place where = detail::Place::current()) {
  return detail::shuffle(kShuffle, mask, value, static_cast<unsigned>(source) % warpSize, width,
                         where);
}

template <detail::ShuffleValue T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                 detail::Place where = detail::Place::current()) {
  const unsigned distance = delta % warpSize;
  const unsigned source = lane() < distance ? lane() : lane() - distance;
  return detail::shuffle(kShuffleUp, mask, value, source, width, where);
}

template <detail::ShuffleValue T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                   detail::Place where = detail::Place::current()) {
  const unsigned distance = delta % warpSize;
  const unsigned source = lane() + distance < warpSize ? lane() + distance : lane();
  return detail::shuffle(kShuffleDown, mask, value, source, width, where);
}

template <detail::ShuffleValue T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,
                  detail::Place where = detail::Place::current()) {
  const unsigned source = lane() ^ static_cast<unsigned>(lane_mask) % warpSize;
  return detail::shuffle(kShuffleXor, mask, value, source, width, where);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              detail::Place where = detail::Place::current()) {
  return static_cast<unsigned>(detail::meet_lanes(kBallot, mask, predicate != 0, where));
}

inline int __any_sync(unsigned mask, int predicate,
                      detail::Place where = detail::Place::current()) {
  return static_cast<int>(detail::meet_lanes(kAny, mask, predicate != 0, where));
}

inline int __all_sync(unsigned mask, int predicate,
                      detail::Place where = detail::Place::current()) {
  return static_cast<int>(detail::meet_lanes(kAll, mask, predicate != 0, where));
}

/// The calling lane alone: no other lane is certain to be at the same place.
inline unsigned __activemask() { return 1U << lane(); }

inline int __reduce_add_sync(unsigned mask, int value,
                             detail::Place where = detail::Place::current()) {
  return static_cast<int>(
      detail::meet_lanes(kReduceAdd, mask, static_cast<unsigned>(value), where));
}

inline unsigned __reduce_add_sync(unsigned mask, unsigned value,
                                  detail::Place where = detail::Place::current()) {
  return static_cast<unsigned>(detail::meet_lanes(kReduceAdd, mask, value, where));
}

inline int __reduce_max_sync(unsigned mask, int value,
                             detail::Place where = detail::Place::current()) {
  return static_cast<int>(
      detail::meet_lanes(kReduceMaxInt, mask, static_cast<unsigned>(value), where));
}

inline unsigned __reduce_max_sync(unsigned mask, unsigned value,
                                  detail::Place where = detail::Place::current()) {
  return static_cast<unsigned>(detail::meet_lanes(kReduceMaxUnsigned, mask, value, where));
}

inline int __reduce_min_sync(unsigned mask, int value,
                             detail::Place where = detail::Place::current()) {
  return static_cast<int>(
      detail::meet_lanes(kReduceMinInt, mask, static_cast<unsigned>(value), where));
}

inline unsigned __reduce_min_sync(unsigned mask, unsigned value,
                                  detail::Place where = detail::Place::current()) {
  return static_cast<unsigned>(detail::meet_lanes(kReduceMinUnsigned, mask, value, where));
}

}  // namespace language
}  // namespace vparity::simt
