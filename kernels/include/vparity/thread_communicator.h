// Ranks as threads of one process.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "vparity/communicator.h"

namespace vparity {

/// A group of `size` ranks: one communicator per rank, for its own thread. If the ranks announce
/// different sizes, all of them throw CommunicationError.
std::vector<std::unique_ptr<Communicator>> make_thread_group(int size);

/// Runs `body` on `size` threads, each with its communicator, and joins them. If a body throws, the
/// group is aborted, and the first exception in time is rethrown once all threads have ended.
void run_thread_ranks(int size, const std::function<void(Communicator&)>& body);

}  // namespace vparity
