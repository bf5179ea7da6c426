// The collectives, and the functions by which the last thread to arrive computes the results of
// all.
#pragma once

#include <cstdint>
#include <span>

#include "device/simt/request.h"

namespace vparity::simt::completions {

using Requests = std::span<Request* const>;

void read_lanes(Requests requests);
void ballot(Requests requests);
void any(Requests requests);
void all(Requests requests);
void count(Requests requests);

void add(Requests requests);
void max_int(Requests requests);
void max_unsigned(Requests requests);
void min_int(Requests requests);
void min_unsigned(Requests requests);

}  // namespace vparity::simt::completions

namespace vparity::simt {

inline constexpr Collective kSyncThreads{"__syncthreads", Collective::block, nullptr};
inline constexpr Collective kSyncThreadsOr{"__syncthreads_or", Collective::block, completions::any};
inline constexpr Collective kSyncThreadsAnd{"__syncthreads_and", Collective::block,
                                            completions::all};
inline constexpr Collective kSyncThreadsCount{"__syncthreads_count", Collective::block,
                                              completions::count};
inline constexpr Collective kSyncWarp{"__syncwarp", Collective::warp_barrier, nullptr};

inline constexpr Collective kShuffle{"__shfl_sync", Collective::shuffle, completions::read_lanes};
inline constexpr Collective kShuffleUp{"__shfl_up_sync", Collective::shuffle,
                                       completions::read_lanes};
inline constexpr Collective kShuffleDown{"__shfl_down_sync", Collective::shuffle,
                                         completions::read_lanes};
inline constexpr Collective kShuffleXor{"__shfl_xor_sync", Collective::shuffle,
                                        completions::read_lanes};

inline constexpr Collective kBallot{"__ballot_sync", Collective::lanes, completions::ballot};
inline constexpr Collective kAny{"__any_sync", Collective::lanes, completions::any};
inline constexpr Collective kAll{"__all_sync", Collective::lanes, completions::all};

inline constexpr Collective kReduceAdd{"__reduce_add_sync", Collective::lanes, completions::add};
inline constexpr Collective kReduceMaxInt{"__reduce_max_sync", Collective::lanes,
                                          completions::max_int};
inline constexpr Collective kReduceMaxUnsigned{"__reduce_max_sync", Collective::lanes,
                                               completions::max_unsigned};
inline constexpr Collective kReduceMinInt{"__reduce_min_sync", Collective::lanes,
                                          completions::min_int};
inline constexpr Collective kReduceMinUnsigned{"__reduce_min_sync", Collective::lanes,
                                               completions::min_unsigned};

}  // namespace vparity::simt
