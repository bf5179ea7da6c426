// `vparity doctor`: what this machine has, as text or JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/command.h"
#include "harness/commands/command_line/program.h"
#include "harness/commands/doctor/doctor.h"
#include "harness/io/standard_output.h"
#include "reports/model/exit_code.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;

constexpr int label_width = 18;

std::string line(std::string_view name, std::string_view text) {
  std::string shown(text);
  // A launcher's message may have several lines: they stay in this column.
  for (auto at = shown.find('\n'); at != std::string::npos; at = shown.find('\n', at + 1))
    shown.insert(at + 1, label_width, ' ');
  return fmt::format("{:<{}}{}\n", name, label_width, shown);
}

std::string text_or(const ordered_json& value, std::string_view otherwise) {
  return value.is_string() ? value.get<std::string>() : std::string(otherwise);
}

std::string list_or(const ordered_json& values, std::string_view otherwise) {
  if (values.empty()) return std::string(otherwise);
  return fmt::format("{}", fmt::join(values.get<std::vector<std::string>>(), ", "));
}

std::string cores_text(const ordered_json& cores) {
  std::string text = fmt::format("{} online, {} usable", cores.at("online").get<int>(),
                                 cores.at("usable").get<int>());
  if (!cores.at("cgroup_limit").is_null())
    text += fmt::format(", cgroup limit {}", cores.at("cgroup_limit").get<double>());
  return text;
}

std::string bandwidth_text(const ordered_json& measured) {
  return fmt::format("{:.1f} GB/s read, {:.1f} GB/s copy", measured.at("read_gbps").get<double>(),
                     measured.at("copy_gbps").get<double>());
}

std::string bandwidth_lines(const ordered_json& all) {
  std::string lines;
  for (const ordered_json& measured : all) {
    const int threads = measured.at("threads").get<int>();
    lines += line(fmt::format("bandwidth {} core{}", threads, threads == 1 ? "" : "s"),
                  bandwidth_text(measured));
  }
  return lines;
}

std::string mpi_lines(const ordered_json& mpi) {
  const std::string built = mpi.at("built_with_mpi").get<bool>() ? "yes" : "no";
  const std::string mpirun = text_or(mpi.at("mpirun"), "not found");
  return line("built with MPI", fmt::format("{}{}", built,
                                            mpi.at("library").is_string()
                                                ? ", " + mpi.at("library").get<std::string>()
                                                : "")) +
         line("mpirun",
              mpi.at("mpirun_version").is_string()
                  ? fmt::format("{} ({})", mpirun, mpi.at("mpirun_version").get<std::string>())
                  : mpirun);
}

std::string launch_lines(const ordered_json& trials) {
  std::string lines;
  for (const ordered_json& trial : trials)
    lines += line(fmt::format("launch {}", trial.at("launcher").get<std::string>()),
                  trial.at("ok").get<bool>() ? "2 ranks started and ended well"
                                             : "FAILED: " + trial.at("message").get<std::string>());
  return lines;
}

std::string gpu_text(const ordered_json& gpu) {
  constexpr double gigabyte = 1e9;
  return fmt::format("{}, {:.1f} GB, {} MHz, {}", gpu.at("name").get<std::string>(),
                     gpu.at("memory_bytes").get<double>() / gigabyte,
                     gpu.at("clocks").at("core_mhz").get<int>(), gpu.at("uuid").get<std::string>());
}

/// If this process can use no GPU, names those that the driver knows of.
std::string gpu_lines(const ordered_json& cuda) {
  if (cuda.at("gpus").empty()) {
    const std::string seen = list_or(cuda.at("driver_gpus"), "");
    return line("GPUs", fmt::format("none: {}{}", cuda.at("no_gpu").get<std::string>(),
                                    seen.empty() ? "" : "; the driver has " + seen));
  }
  std::string lines;
  for (const ordered_json& gpu : cuda.at("gpus"))
    lines += line(fmt::format("GPU {}", &gpu - &cuda.at("gpus").front()), gpu_text(gpu));
  return lines;
}

std::string cuda_lines(const ordered_json& cuda) {
  const bool built = cuda.at("built").get<bool>();
  return line("CUDA", built ? "runtime " + text_or(cuda.at("runtime"), "unknown") : "not built") +
         line("CUDA driver", cuda.at("driver").is_string()
                                 ? "up to CUDA " + cuda.at("driver").get<std::string>()
                                 : (built ? "none" : "not asked")) +
         gpu_lines(cuda);
}

std::string nccl_text(const ordered_json& cuda, const ordered_json& version) {
  const std::string built = cuda.at("nccl_built").get<bool>() ? "" : "; not built";
  return text_or(version, "not found") + built;
}

}  // namespace

std::string examination_text(const ordered_json& examination) {
  const ordered_json& build = examination.at("build");
  const ordered_json& host = examination.at("host");
  const ordered_json& cuda = examination.at("cuda");
  constexpr double gigabyte = 1e9;
  return line("version", examination.at("version").get<std::string>()) +
         line("compiler", fmt::format("{}, {} build", build.at("compiler").get<std::string>(),
                                      build.at("type").get<std::string>())) +
         line("host", host.at("name").get<std::string>()) +
         line("processor", text_or(host.at("cpu"), "unknown")) +
         line("cores", cores_text(examination.at("cores"))) +
         line("SIMD, best first", list_or(examination.at("simd"), "none")) +
         line("memory",
              fmt::format("{:.1f} GB", host.at("memory_bytes").get<double>() / gigabyte)) +
         bandwidth_lines(examination.at("bandwidth")) + mpi_lines(examination.at("mpi")) +
         launch_lines(examination.at("launch")) + cuda_lines(cuda) +
         line("NCCL", nccl_text(cuda, examination.at("nccl")));
}

void add_doctor_command(Command& program) {
  auto& command = program.add_command(
      "doctor", "Show what this machine has: cores, SIMD, bandwidth, MPI, launchers, CUDA, NCCL");
  const auto as_json = std::make_shared<bool>(false);
  command.add_flag("--json", *as_json, "Print one JSON object");
  command.footer(
      "Exit codes:\n"
      "    0  `vparity run` can start ranks here\n"
      "    3  it cannot; the launcher's message says why");
  command.action([as_json] {
    const nlohmann::ordered_json examination = examine_machine();
    print_out(*as_json ? examination.dump(2) + "\n" : examination_text(examination));
    return can_run(examination) ? reports::exit_passed : reports::exit_infrastructure;
  });
}

}  // namespace vparity::harness
