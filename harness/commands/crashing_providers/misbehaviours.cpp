#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <memory>
#include <stdexcept>
#include <string>

#include "harness/commands/crashing_providers/crashing_provider.h"

namespace vparity::harness {
namespace {

[[noreturn]] void loop_for_ever() {
  while (true) sched_yield();
}

void exit_well(Communicator&) { std::exit(0); }
void exit_with_7(Communicator&) { std::exit(7); }
void throw_up(Communicator&) { throw std::runtime_error("thrown on purpose"); }
void throw_up_late(const StatisticsViews&) { throw std::runtime_error("thrown on purpose"); }
void abort_process(Communicator&) { std::abort(); }
void abort_group(Communicator& tp) { tp.abort("thrown on purpose"); }
// Sent to this thread, so that it does not go on until the signal has reached another one.
void kill_itself(Communicator&) { std::raise(SIGKILL); }
void stop_itself(Communicator&) { std::raise(SIGSTOP); }
void loop(Communicator&) { loop_for_ever(); }
void come_late(Communicator&) {}  // the head start is all
void loop_late(const StatisticsViews&) { loop_for_ever(); }

void write_where_nobody_may(Communicator&) {
  std::fputs("about to write where nobody may\n", stderr);
  void* page = ::mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

void ignore_sigterm(Communicator&) {
  std::signal(SIGTERM, SIG_IGN);
  loop_for_ever();
}

void kill_launcher(Communicator&) {
  ::kill(::getppid(), SIGKILL);
  loop_for_ever();
}

rlim_t bytes_of_address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// While it lives, this process can have only so much more of address space.
class MemoryLimit {
 public:
  explicit MemoryLimit(rlim_t more) {
    ::getrlimit(RLIMIT_AS, &before_);
    const rlimit limit{bytes_of_address_space() + more, before_.rlim_max};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
};

void allocate_without_end(const StatisticsViews&) {
  constexpr std::size_t piece = std::size_t{16} << 20;
  const MemoryLimit limit(8 * piece);
  std::vector<std::unique_ptr<char[]>> pieces;
  while (true) pieces.push_back(std::make_unique<char[]>(piece));
}

void print_garbage(Communicator&) {
  std::puts("{\"event\":\"done\"}\n{\"event\":\"result\",\"outcome\":{}}\nnan \x01\xff");
  std::fflush(stdout);
}

void flood_log(Communicator&) {
  const std::string line(1023, 'x');
  for (int i = 0; i < 12 << 10; ++i) std::fprintf(stderr, "%s\n", line.c_str());
}

void return_wrong_numbers(const StatisticsViews& out) { out.loss(0) += 1; }

/// Groups the digits of integers and has a comma in numbers, as a library may do that follows the
/// user's settings.
class Comma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

void set_locale(Communicator&) {
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  std::locale::global(std::locale(std::locale::classic(), new Comma));
}

}  // namespace

const std::vector<Misbehaviour>& all_misbehaviours() {
  static const std::vector<Misbehaviour> misbehaviours{
      {.name = "exits-0", .before = exit_well},
      {.name = "exits-7", .before = exit_with_7},
      {.name = "throws", .before = throw_up},
      {.name = "throws-late", .after = throw_up_late},
      {.name = "aborts", .before = abort_process},
      {.name = "aborts-group", .before = abort_group},
      {.name = "segfaults", .before = write_where_nobody_may},
      {.name = "is-killed", .before = kill_itself},
      {.name = "is-stopped", .before = stop_itself},
      {.name = "loops", .before = loop},
      {.name = "loops-late", .after = loop_late},
      {.name = "ignores-sigterm", .before = ignore_sigterm},
      {.name = "kills-launcher", .before = kill_launcher},
      {.name = "allocates", .after = allocate_without_end},
      {.name = "is-slow", .before = come_late},
      {.name = "prints", .before = print_garbage},
      {.name = "floods", .before = flood_log},
      {.name = "is-wrong", .after = return_wrong_numbers},
      {.name = "sets-locale", .before = set_locale}};
  return misbehaviours;
}

}  // namespace vparity::harness
