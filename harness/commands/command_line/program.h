// The command line of `vparity`: its subcommands, and what is said of a wrong one.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

namespace vparity::harness {

class Program {
 public:
  Program();

  std::vector<CLI::App*> commands() { return app_.get_subcommands(/*filter=*/{}); }

  /// Parses and runs the subcommand; returns the exit code. Throws UsageError for a command line
  /// that is not understood, and what the subcommand throws.
  int run(int argc, char** argv);

 private:
  CLI::App app_;
  int exit_code_ = 0;
};

}  // namespace vparity::harness
