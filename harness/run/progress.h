// How far a run is, in one line.
#pragma once

#include <cstdint>
#include <string>

namespace vparity::harness {

struct Progress {
  std::int64_t planned = 0;
  std::int64_t decided = 0;
  std::int64_t failed = 0;
  std::int64_t decided_here = 0;  ///< by this process, as against by the run it goes on with
  double elapsed_s = 0;           ///< of this process
};

/// "123/560 cases, 2 failed, about 20 s left"; the estimate only once there is something to judge
/// by.
std::string progress_text(const Progress& progress);

}  // namespace vparity::harness
