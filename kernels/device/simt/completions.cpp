#include "device/simt/completions.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace vparity::simt::completions {
namespace {

/// Sets every result to what `step` makes of the values in turn, beginning with `start`.
template <class T, class Step>
void fold(Requests requests, T start, Step step) {
  T total = start;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i] != nullptr) total = step(total, static_cast<T>(requests[i]->value), i);
  }
  for (Request* request : requests) {
    if (request != nullptr) request->result = static_cast<std::uint64_t>(total);
  }
}

template <class T>
void max(Requests requests) {
  fold(requests, std::numeric_limits<T>::min(),
       [](T a, T b, std::size_t) { return std::max(a, b); });
}

template <class T>
void min(Requests requests) {
  fold(requests, std::numeric_limits<T>::max(),
       [](T a, T b, std::size_t) { return std::min(a, b); });
}

}  // namespace

void read_lanes(Requests requests) {
  for (Request* request : requests) {
    if (request != nullptr) request->result = requests[request->source]->value;
  }
}

void ballot(Requests requests) {
  fold(requests, 0U, [](unsigned set, unsigned value, std::size_t lane) {
    return set | (value != 0 ? 1U << lane : 0U);
  });
}

void any(Requests requests) {
  fold(requests, 0U, [](unsigned a, unsigned b, std::size_t) { return a | b; });
}

void all(Requests requests) {
  fold(requests, 1U, [](unsigned a, unsigned b, std::size_t) { return a & b; });
}

void add(Requests requests) {
  fold(requests, 0U, [](unsigned a, unsigned b, std::size_t) { return a + b; });
}

void count(Requests requests) { add(requests); }

void max_int(Requests requests) { max<int>(requests); }
void max_unsigned(Requests requests) { max<unsigned>(requests); }
void min_int(Requests requests) { min<int>(requests); }
void min_unsigned(Requests requests) { min<unsigned>(requests); }

}  // namespace vparity::simt::completions
