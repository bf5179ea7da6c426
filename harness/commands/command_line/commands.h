// The subcommands of `vparity`. Each function adds one to `app`; when it is the one chosen, its
// callback does the work and stores the exit code (docs/command-line.md). UsageError thrown inside
// ends as exit code 2.
#pragma once

#include <CLI/CLI.hpp>

namespace vparity::harness {

void add_run_command(CLI::App& app, int& exit_code);
void add_plan_command(CLI::App& app, int& exit_code);
void add_eval_command(CLI::App& app, int& exit_code);
void add_selftest_command(CLI::App& app, int& exit_code);
void add_doctor_command(CLI::App& app, int& exit_code);
void add_schema_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_merge_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_ab_command(CLI::App& app, int& exit_code);
void add_history_command(CLI::App& app, int& exit_code);
void add_nightly_command(CLI::App& app, int& exit_code);

}  // namespace vparity::harness
