#include "harness/run/launcher/process_tree.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace vparity::harness {
namespace {

std::optional<pid_t> to_pid(std::string_view text) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return pid;
}

// /proc/PID/stat is "PID (name) state ppid ..."; the name may hold blanks and parentheses.
std::optional<pid_t> parent_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const auto name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;  // it has ended meanwhile
  constexpr std::size_t to_parent = 4;                     // ") S "
  const auto begin = std::min(name_end + to_parent, text.size());
  return to_pid(std::string_view(text).substr(begin, text.find(' ', begin) - begin));
}

std::multimap<pid_t, pid_t> children_by_parent() {
  std::multimap<pid_t, pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto pid = to_pid(entry.path().filename().string());
    if (!pid) continue;
    if (const auto parent = parent_of(*pid)) children.emplace(*parent, *pid);
  }
  return children;
}

std::set<pid_t> own_children() {
  const auto children = children_by_parent();
  std::set<pid_t> own;
  const auto [begin, end] = children.equal_range(getpid());
  std::transform(begin, end, std::inserter(own, own.end()),
                 [](auto& entry) { return entry.second; });
  return own;
}

}  // namespace

ProcessTree::ProcessTree() : earlier_(own_children()) {
  prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_, 0, 0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

ProcessTree::~ProcessTree() { prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_, 0, 0, 0); }

std::vector<pid_t> ProcessTree::members() const {
  const auto children = children_by_parent();
  std::vector<pid_t> found{getpid()};
  for (std::size_t next = 0; next < found.size(); ++next) {
    const auto [begin, end] = children.equal_range(found[next]);
    for (auto entry = begin; entry != end; ++entry) {
      if (!earlier_.contains(entry->second)) found.push_back(entry->second);
    }
  }
  found.erase(found.begin());
  return found;
}

void ProcessTree::signal(int signal) const {
  for (const pid_t pid : members()) ::kill(pid, signal);
}

void ProcessTree::reap_orphans(pid_t spared) const {
  for (const pid_t pid : members()) {
    // Fails harmlessly for members that are not this process's own children.
    if (pid != spared) ::waitpid(pid, nullptr, WNOHANG);
  }
}

}  // namespace vparity::harness
