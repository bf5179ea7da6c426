// Atomics, fences, and loads and stores with cache hints.
#pragma once

#include <atomic>
#include <source_location>

namespace vparity::simt {

namespace detail {

// Relaxed, as CUDA's are: an atomic orders nothing else.
template <class T>
T fetch_add(T* address, T value) {
  return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
}

/// Replaces *address by `choose(old, value)`; returns the old one.
template <class T, class Choose>
T fetch_and(T* address, T value, Choose choose) {
  const std::atomic_ref<T> target(*address);
  T old = target.load(std::memory_order_relaxed);
  while (!target.compare_exchange_weak(old, choose(old, value), std::memory_order_relaxed)) {
  }
  return old;
}

template <class T>
T fetch_max(T* address, T value) {
  return fetch_and(address, value, [](T a, T b) { return a < b ? b : a; });
}

template <class T>
T fetch_min(T* address, T value) {
  return fetch_and(address, value, [](T a, T b) { return b < a ? b : a; });
}

template <class T>
T compare_and_swap(T* address, T expected, T desired) {
  std::atomic_ref<T>(*address).compare_exchange_strong(expected, desired,
                                                       std::memory_order_relaxed);
  return expected;
}

template <class T>
T exchange(T* address, T value) {
  return std::atomic_ref<T>(*address).exchange(value, std::memory_order_relaxed);
}

[[noreturn]] void trap(const std::source_location& where);

/// A thread that passes a later fence sees all accesses before this one.
void fence();

}  // namespace detail

namespace language {

inline int atomicAdd(int* address, int value) { return detail::fetch_add(address, value); }
inline unsigned atomicAdd(unsigned* address, unsigned value) {
  return detail::fetch_add(address, value);
}
inline unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
  return detail::fetch_add(address, value);
}
inline float atomicAdd(float* address, float value) { return detail::fetch_add(address, value); }
inline double atomicAdd(double* address, double value) { return detail::fetch_add(address, value); }

inline int atomicMax(int* address, int value) { return detail::fetch_max(address, value); }
inline unsigned atomicMax(unsigned* address, unsigned value) {
  return detail::fetch_max(address, value);
}
inline long long atomicMax(long long* address, long long value) {
  return detail::fetch_max(address, value);
}
inline unsigned long long atomicMax(unsigned long long* address, unsigned long long value) {
  return detail::fetch_max(address, value);
}

inline int atomicMin(int* address, int value) { return detail::fetch_min(address, value); }
inline unsigned atomicMin(unsigned* address, unsigned value) {
  return detail::fetch_min(address, value);
}
inline long long atomicMin(long long* address, long long value) {
  return detail::fetch_min(address, value);
}
inline unsigned long long atomicMin(unsigned long long* address, unsigned long long value) {
  return detail::fetch_min(address, value);
}

inline int atomicCAS(int* address, int expected, int desired) {
  return detail::compare_and_swap(address, expected, desired);
}
inline unsigned atomicCAS(unsigned* address, unsigned expected, unsigned desired) {
  return detail::compare_and_swap(address, expected, desired);
}
inline unsigned long long atomicCAS(unsigned long long* address, unsigned long long expected,
                                    unsigned long long desired) {
  return detail::compare_and_swap(address, expected, desired);
}

inline int atomicExch(int* address, int value) { return detail::exchange(address, value); }
inline unsigned atomicExch(unsigned* address, unsigned value) {
  return detail::exchange(address, value);
}
inline unsigned long long atomicExch(unsigned long long* address, unsigned long long value) {
  return detail::exchange(address, value);
}
inline float atomicExch(float* address, float value) { return detail::exchange(address, value); }

inline void __threadfence() { detail::fence(); }

template <class T>
T __ldg(const T* address) {
  return *address;
}
template <class T>
T __ldcs(const T* address) {
  return *address;
}
template <class T>
void __stcs(T* address, T value) {
  *address = value;
}

[[noreturn]] inline void __trap(
    const std::source_location& where = std::source_location::current()) {
  detail::trap(where);
}

}  // namespace language
}  // namespace vparity::simt
