// Collective operations of the threads of a block, and a thread's request to take part in one.
#pragma once

#include <cstdint>
#include <source_location>
#include <span>

namespace vparity::simt {

struct Request;

/// One collective operation: __syncthreads, __shfl_xor_sync...
struct Collective {
  const char* name;
  enum Kind {
    block,         // all threads of the block, at one place in the source
    warp_barrier,  // the lanes of a mask, each wherever it is
    lanes,         // the lanes of a mask, at one place
    shuffle        // as `lanes`; Request::source says which lane is read
  } kind;
  /// Sets the results of all requests; for a warp there are 32, null for lanes outside the mask.
  void (*complete)(std::span<Request* const> requests);

  /// Shuffles, votes and reductions of a warp exchange values and order no other memory.
  bool orders_memory() const { return kind == block || kind == warp_barrier; }
};

struct Request {
  const Collective* collective;
  std::source_location where;
  unsigned mask = 0;         // of a warp
  unsigned source = 0;       // of a shuffle: the lane to read
  std::uint64_t value = 0;   // bits of this thread's value
  std::uint64_t result = 0;  // bits of its result
};

/// Waits until all participants have arrived. The last one completes the requests of all.
void meet(Request& request);

}  // namespace vparity::simt
