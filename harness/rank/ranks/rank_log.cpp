#include "harness/rank/ranks/rank_log.h"

#include <fmt/format.h>

#include <cstdio>

namespace vparity::harness {

void log_rank(int rank, std::string_view text) {
  const std::string line = fmt::format("[rank {}] {}\n", rank, text);
  std::fwrite(line.data(), 1, line.size(), stderr);  // unbuffered: one write
}

}  // namespace vparity::harness
