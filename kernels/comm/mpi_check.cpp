#include "comm/mpi_check.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "vparity/errors.h"

namespace vparity {
namespace {

std::string describe(int code, const char* call, const char* file, int line) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return fmt::format("{}:{}: {} failed: {}", file, line, call, text);
}

}  // namespace

void check_mpi(int code, const char* call, const char* file, int line) {
  if (code != MPI_SUCCESS) throw CommunicationError(describe(code, call, file, line));
}

void log_mpi(int code, const char* call, const char* file, int line) noexcept {
  if (code == MPI_SUCCESS) return;
  try {
    fmt::print(stderr, "{}\n", describe(code, call, file, line));
  } catch (const std::exception&) {
    std::fputs("an MPI call failed and its message could not be formed\n", stderr);
  }
}

}  // namespace vparity
