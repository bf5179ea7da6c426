#include "harness/commands/doctor/machine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "harness/io/atomic_file.h"
#include "harness/run/launcher/scratch_folder.h"

namespace vparity::harness {
namespace {

/// The value of "Model:" in what the driver says of one GPU.
std::string model_in(const std::filesystem::path& information) {
  std::ifstream file(information);
  for (std::string line; std::getline(file, line);) {
    const auto value = line.find_first_not_of(" \t", line.find(':') + 1);
    if (line.starts_with("Model:") && value != std::string::npos) return line.substr(value);
  }
  return "unknown model";
}

}  // namespace

int online_cores() { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }

std::optional<double> cgroup_cores() {
  // "QUOTA PERIOD" in microseconds; QUOTA is "max" where there is no limit.
  std::int64_t quota = 0;
  std::int64_t period = 0;
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  if (!(file >> quota >> period) || period <= 0) return std::nullopt;
  return static_cast<double>(quota) / static_cast<double>(period);
}

std::vector<std::string> gpu_models() {
  std::vector<std::string> models;
  std::error_code none;  // no driver, no folder
  for (const auto& gpu : std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", none))
    models.push_back(model_in(gpu.path() / "information"));
  return models;
}

std::optional<std::string> nccl_version() {
  void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  int code = 0;
  const auto get = reinterpret_cast<int (*)(int*)>(dlsym(library, "ncclGetVersion"));
  const bool known = get != nullptr && get(&code) == 0;
  dlclose(library);
  // NCCL_VERSION(X, Y, Z) of nccl.h, as it is since 2.9.
  if (!known) return "unknown";
  return fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100);
}

LaunchTrial try_launch(LauncherKind kind, const std::string& worker) {
  const ScratchFolder scratch;
  MatrixJob job;
  job.world = 2;
  reports::write_file_atomically(scratch.file("job.json"), to_json(job).dump());

  LaunchSpec spec;
  spec.kind = kind;
  spec.ranks = job.world;
  spec.worker = worker;
  spec.job_file = scratch.file("job.json");
  spec.log_file = scratch.file("log");
  spec.limits.launch = std::chrono::seconds(30);

  LaunchTrial trial;
  const JobOutcome outcome = run_job(spec, [&](const Event& event) {
    if (event.kind == "ready") trial.ready = event.body;
  });
  trial.ok = outcome.end == JobEnd::done;
  trial.message = outcome.message;
  return trial;
}

}  // namespace vparity::harness
