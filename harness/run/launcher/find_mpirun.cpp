#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <regex>
#include <string>
#include <string_view>

#include "harness/run/launcher/child_process.h"
#include "harness/run/launcher/launcher.h"

namespace vparity::harness {
namespace {

using Clock = std::chrono::steady_clock;

bool executable(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

std::string find_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (const auto part : std::views::split(std::string_view(path ? path : ""), ':')) {
    std::string candidate(part.begin(), part.end());
    if (candidate.empty()) continue;
    candidate.append("/").append(program);
    if (executable(candidate)) return candidate;
  }
  return {};
}

std::string find_launcher() {
  if (executable(VPARITY_MPIEXEC)) return VPARITY_MPIEXEC;
  return find_in_path("mpirun");
}

// The version stands in one of the first lines; std::regex recurses once for each character.
constexpr std::size_t enough_bytes = 4096;

// What `program --version` prints first; what came until the limit if it does not end.
std::string version_output(const std::string& program, Clock::duration limit) {
  ChildProcess child({{program, "--version"}, current_environment(), {}});
  const auto deadline = Clock::now() + limit;
  std::string text;
  while (Clock::now() < deadline && text.size() < enough_bytes) {
    pollfd ready{child.output().get(), POLLIN, 0};
    ::poll(&ready, 1, 100);
    char buffer[enough_bytes];
    const ssize_t got = ::read(child.output().get(), buffer, sizeof buffer);
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    if (got == 0) break;
  }
  return text.substr(0, enough_bytes);
}

// "mpirun (Open MPI) 4.1.4" and Hydra's "Version:   4.0.2"; anything else by its first line.
std::string name_and_version(const std::string& text) {
  std::smatch match;
  if (std::regex_search(text, match, std::regex(R"(\((?:Open MPI|OpenRTE)\) (\S+))"))) {
    return "Open MPI " + match.str(1);
  }
  if (std::regex_search(text, match, std::regex(R"(HYDRA[^]*Version:\s+(\S+))"))) {
    return "MPICH " + match.str(1);
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace

MpiLauncher find_mpirun(std::string path, std::chrono::duration<double> limit) {
  if (path.empty()) path = find_launcher();
  if (path.empty()) return {};
  const auto text = version_output(path, std::chrono::duration_cast<Clock::duration>(limit));
  return {path, name_and_version(text)};
}

}  // namespace vparity::harness
