// The program `vparity`: its command line and its commands.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace vparity::harness {

class Command;

class Program {
 public:
  Program();
  ~Program();

  /// What the command line asks for, ready to be done; it returns the exit code and must not
  /// outlive the program. --help and --version are answered at once. Throws UsageError for a
  /// command line that is not understood.
  std::function<int()> parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::unique_ptr<Command> root_;
};

// Each adds one command. Its action may throw UsageError, which ends as exit code 2, and other
// exceptions, which end as 3.
void add_run_command(Command& program);
void add_plan_command(Command& program);
void add_eval_command(Command& program);
void add_selftest_command(Command& program);
void add_doctor_command(Command& program);
void add_schema_command(Command& program);
void add_report_command(Command& program);
void add_merge_command(Command& program);
void add_compare_command(Command& program);
void add_ab_command(Command& program);
void add_history_command(Command& program);
void add_nightly_command(Command& program);

/// The arguments of this process as the shell passed them, for reports; CLI11 keeps no copy.
std::vector<std::string> own_arguments();

}  // namespace vparity::harness
