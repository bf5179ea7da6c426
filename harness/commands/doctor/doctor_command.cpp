// `vparity doctor`: what this machine has.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "harness/commands/command_line/commands.h"
#include "harness/commands/doctor/doctor.h"
#include "harness/io/standard_output.h"

namespace vparity::harness {

void add_doctor_command(CLI::App& app, int& exit_code) {
  const auto as_json = std::make_shared<bool>(false);
  CLI::App& command = *app.add_subcommand(
      "doctor", "What this machine has: MPI, SIMD, cores, bandwidth, CUDA, NCCL, launchers");
  command.add_flag("--json", *as_json, "Print one JSON object");
  command.callback([as_json, &exit_code] {
    constexpr int ranks_cannot_start = 3;
    const nlohmann::ordered_json examination = examine_machine();
    print_out(*as_json ? examination.dump(2) + "\n" : examination_text(examination));
    exit_code = can_run(examination) ? 0 : ranks_cannot_start;
  });
}

}  // namespace vparity::harness
